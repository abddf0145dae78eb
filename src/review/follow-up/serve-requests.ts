// What a reviewer asks for, from the repository and nowhere else: read, cleaned, and within a number of tokens. Whatever is asked,
// every request ends served or refused, with the reason; no reason holds a word of what was asked.
import { cleanText, hitsOf } from '../../cleaning/clean-text.js';
import type { FinishHits } from '../../core/model/fragment.js';
import type { Meter } from '../../core/model/meter.js';
import type { Rejection } from '../../core/model/receipt.js';
import type { ReviewContext } from '../change/open-review.js';
import { contextWords } from '../context/arrange-pieces.js';
import type { AskedRequest } from '../findings/answer-extras.js';
import { shortenData } from '../pieces/abridge-data.js';
import { type ExtraRequest, requestTypes } from '../plan/context-need.js';
import type { PlannedUnit } from '../plan/plan-review.js';
import { answerRequests, type UnitRequests } from '../requests/answer-requests.js';
import { lineClaims, type ShownRange } from '../units/snippet.js';
import type { CleanTree } from './clean-tree.js';

export interface ServedRequest {
  readonly id: string;
  /** As they may leave the machine. */
  readonly words: string;
  readonly finished: FinishHits;
  readonly reason: string;
  readonly tokens: number;
}

export interface ServedRequests {
  readonly served: readonly ServedRequest[];
  readonly refused: readonly Rejection[];
}

export interface ServeOptions {
  /** Units on the page that asks. */
  readonly units: readonly PlannedUnit[];
  /** Lines the page shows already. */
  readonly shown: readonly ShownRange[];
  /** Tokens that may be served. */
  readonly room: number;
  /** From 1, of the messages of one page. */
  readonly round: number;
}

export type ServeRequests = (
  requests: readonly AskedRequest[],
  options: ServeOptions,
) => Promise<ServedRequests>;

const most = { requests: 8, details: 500 } as const;
const shortest = 3;
/** A word rarely has more characters for one token: what is longer need not be weighed to be too long. */
const charactersPerToken = 24;

export function requestService(
  { repository, change, signal }: ReviewContext,
  tree: CleanTree,
  meter: Meter,
): ServeRequests {
  return async (requests, options) => {
    const { accepted, refused } = judge(requests, options);
    if (accepted.length === 0) return { served: [], refused };
    const { answers } = await answerRequests(
      accepted.map(({ one }) => one),
      { repository, library: tree.library, tree: change.newTree, signal },
    );
    const isWithheld = await tree.withheld();
    return wordAnswers(accepted, { ...options, answers, meter, refused, tree, isWithheld });
  };
}

interface Accepted {
  readonly id: string;
  /** The unit, asking for this alone. */
  readonly one: PlannedUnit;
  readonly request: ExtraRequest;
}

const outside = /^(?:[a-z]:[\\/]|~|[\\/]|file:)|(?:^|[\\/])\.\.(?:[\\/]|$)/i;

function judge(
  requests: readonly AskedRequest[],
  { units, round }: ServeOptions,
): { readonly accepted: Accepted[]; readonly refused: Rejection[] } {
  const accepted: Accepted[] = [];
  const refused: Rejection[] = [];
  const asked = new Set<string>();
  for (const [at, { type: named, unit, details = '' }] of requests.entries()) {
    const id = `request:${round}:${at + 1}`;
    const refuse = (verdict: Rejection['verdict'], reason: string) =>
      refused.push({ id, source: 'requests', layer: 'requests', verdict, reason });
    const type = requestTypes.find((known) => known === named);
    const home = homeOf(units, unit, details);
    const key = `${type}\n${home?.unit.id}\n${details}`;
    if (type === undefined) refuse('invalid', 'there is no such kind of request');
    else if (outside.test(details)) refuse('withheld', 'it names a place outside the repository');
    else if (details.length > most.details)
      refuse('invalid', `its details are longer than ${most.details} characters`);
    else if (home === undefined) refuse('withheld', 'the change is too large to be searched for more');
    else if (type === 'previous_version' && home.unit.id !== unit)
      refuse('invalid', 'it names no unit of the page');
    else if (details !== '' && details.length < shortest)
      refuse('invalid', `what it looks for is shorter than ${shortest} characters`);
    else if (asked.has(key)) refuse('duplicate', 'it was asked for in the same answer');
    else if (accepted.length >= most.requests)
      refuse('over-limit', `at most ${most.requests} requests are served at a time`);
    else {
      asked.add(key);
      const request: ExtraRequest = { type, ...(details === '' ? {} : { details }) };
      accepted.push({ id, request, one: { ...home, row: { ...home.row, extra_requests: [request] } } });
    }
  }
  return { accepted, refused };
}

/** The unit that is named; else the one whose symbol is, or the first of the page. */
function homeOf(
  units: readonly PlannedUnit[],
  named: string | undefined,
  details: string,
): PlannedUnit | undefined {
  return (
    units.find(({ unit }) => unit.id === named) ??
    units.find(({ unit }) => unit.chain.at(-1) === details) ??
    units[0]
  );
}

interface Wording extends ServeOptions {
  readonly answers: ReadonlyMap<PlannedUnit, UnitRequests>;
  readonly meter: Meter;
  readonly refused: Rejection[];
  readonly tree: CleanTree;
  isWithheld(path: string): boolean;
}

async function wordAnswers(accepted: readonly Accepted[], options: Wording): Promise<ServedRequests> {
  const { answers, meter, refused, tree, isWithheld, shown, room } = options;
  const claims = lineClaims(shown);
  const weigh = (words: string) =>
    words.length > room * charactersPerToken
      ? Number.POSITIVE_INFINITY
      : Math.ceil(meter.weigh(words) / meter.scale);
  const served: ServedRequest[] = [];
  let left = room;
  for (const { id, one, request } of accepted) {
    const { snippets = [], reports = [] } = answers.get(one) ?? {};
    const open = snippets.filter(({ path }) => !isWithheld(path));
    const fresh = open.map((whole) => claims.claim(whole)).filter((parts) => parts.length > 0);
    const known = open.length - fresh.length;
    const heading = headingOf(id, request, known > 0 && fresh.length === 0 ? shownNote : reports[0]?.note);
    let words = heading.text;
    let tokens = weigh(words);
    const hits: FinishHits[] = [heading.hits];
    let [places, tooMany] = [0, 0];
    for (const snippet of fresh.flat()) {
      const { text, hits: found } = await tree.lines(snippet);
      const piece = `\n${shortenData(contextWords({ snippet: { ...snippet, text } }))}`;
      const weight = weigh(piece);
      if (tokens + weight > left) {
        tooMany += 1;
        continue;
      }
      words += piece;
      tokens += weight;
      hits.push(found);
      places += 1;
    }
    if (tokens > left || (places === 0 && tooMany > 0)) {
      const reason = `it needs more than the ${left} tokens that are left to be served`;
      refused.push({ id, source: 'requests', layer: 'requests', verdict: 'over-limit', reason });
      continue;
    }
    left -= tokens;
    const withheld = snippets.length - open.length;
    const reason = [
      `asked for ${request.type}: ${places} place(s) served`,
      ...(known === 0 ? [] : [`${known} shown before`]),
      ...(tooMany === 0 ? [] : [`${tooMany} over the limit`]),
      ...(withheld === 0 ? [] : [`${withheld} withheld, in files that are left out of reviews`]),
    ].join(', ');
    const more = tooMany === 0 ? '' : `\n(${tooMany} more place(s) left out.)\n`;
    served.push({ id, words: `${words}${more}\n`, finished: summed(hits), reason, tokens });
  }
  return { served, refused };
}

const shownNote = 'All there is was shown before.';

function headingOf(id: string, { type, details = '' }: ExtraRequest, note: string | undefined) {
  const about = details === '' ? '' : ` ${details.replaceAll(/\s+/g, ' ')}`;
  const clean = cleanText(
    `## ${id.split(':').at(-1)}. ${type}${about}\n${note === undefined ? '' : `${note}\n`}`,
  );
  return { text: clean.text, hits: hitsOf(clean) };
}

function summed(list: readonly FinishHits[]): FinishHits {
  const all: Record<string, number> = {};
  for (const hits of list)
    for (const [kind, count] of Object.entries(hits)) all[kind] = (all[kind] ?? 0) + count;
  return all;
}
