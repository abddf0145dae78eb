// All extra requests of an answer: words are looked up together, each place is reported, its lines become a snippet.

import { isGalleyError, type Warning } from '../../core/model/error.js';
import { grepWords, type WordHit } from '../../git/objects/grep-words.js';
import type { Repository } from '../../git/repository/open-repository.js';
import type { FoundPlace, RequestReport } from './bundle.js';
import type { PlannedUnit } from './planned-unit.js';
import { answerRequest } from './requests/answer-request.js';
import { previousVersion } from './requests/previous-version.js';
import type { Reference, RequestGround } from './requests/request-ground.js';
import { requestWords, subjectOf } from './requests/request-words.js';
import { type Snippet, snippetOf } from './snippet.js';
import type { TreeLibrary } from './tree-library.js';

export interface UnitRequests {
  readonly places: readonly FoundPlace[];
  readonly reports: readonly RequestReport[];
  readonly snippets: readonly Snippet[];
  readonly previousVersion: string | null;
}

export interface RequestRoom {
  readonly repository: Repository;
  readonly library: TreeLibrary;
  readonly tree: string;
  readonly signal?: AbortSignal | undefined;
}

export interface RequestAnswers {
  readonly answers: ReadonlyMap<PlannedUnit, UnitRequests>;
  readonly warnings: readonly Warning[];
}

const mostHits = 100_000;
const mostShown = { search_class_methods: 30, other: 10 } as const;

export async function answerRequests(
  units: readonly PlannedUnit[],
  room: RequestRoom,
): Promise<RequestAnswers> {
  const { ground, warnings } = await makeGround(units, room);
  const answers = new Map<PlannedUnit, UnitRequests>();
  for (const one of units) answers.set(one, await answerUnit(one, ground));
  return { answers, warnings };
}

async function makeGround(
  units: readonly PlannedUnit[],
  { repository, library, tree, signal }: RequestRoom,
): Promise<{ ground: RequestGround; warnings: Warning[] }> {
  const words = new Set(
    units.flatMap(({ unit, row }) => row.extra_requests.flatMap((request) => requestWords(request, unit))),
  );
  const byWord = new Map<string, WordHit[]>();
  const warnings: Warning[] = [];
  const look = async (asked: readonly string[]): Promise<void> => {
    const missing = [...new Set(asked)].filter((word) => !byWord.has(word));
    for (const word of missing) byWord.set(word, []);
    if (missing.length === 0) return;
    try {
      const found = await grepWords(repository, { words: missing, at: tree, limit: mostHits, signal });
      for (const hit of found.hits) byWord.get(hit.word)?.push(hit);
      if (found.total > found.hits.length) warnings.push(tooMany(found.total, found.hits.length));
    } catch (error) {
      if (isGalleyError(error) && error.code === 'CANCELLED') throw error;
      warnings.push({
        code: 'SEARCH_UNAVAILABLE',
        message: 'The tree could not be searched; callers and other searches are missing.',
      });
    }
  };
  await look([...words]);
  const paths = new Set((await library.files()).keys());
  for (const { unit } of units) paths.add(unit.file.patch.entry.oldPath ?? unit.path);
  return { ground: { library, paths, hits: (word) => byWord.get(word) ?? [], look }, warnings };
}

async function answerUnit(one: PlannedUnit, ground: RequestGround): Promise<UnitRequests> {
  const places: FoundPlace[] = [];
  const reports: RequestReport[] = [];
  const snippets: Snippet[] = [];
  let before: string | null = null;
  for (const request of one.row.extra_requests) {
    const { type } = request;
    if (type === 'previous_version') {
      const previous = previousVersion(one.unit);
      before = previous?.text ?? null;
      snippets.push(...(previous?.snippets ?? []));
      const total = previous === undefined ? 0 : 1;
      reports.push({
        type,
        total,
        shown: total,
        ...(total === 0 ? { note: 'There is no earlier version.' } : {}),
      });
      continue;
    }
    const subject = subjectOf(request, one.unit);
    const { found, total, unchecked } = await answerRequest(request, one.unit, ground);
    const most = type === 'search_class_methods' ? mostShown.search_class_methods : mostShown.other;
    const shown = onePerPlace(found).slice(0, most);
    reports.push({
      type,
      ...(subject === undefined ? {} : { subject }),
      total,
      shown: shown.length,
      ...(unchecked > 0 ? { unchecked } : {}),
      ...noteOf({ subject, total, shown: shown.length, unchecked }),
    });
    const files = await ground.library.open([...new Set(shown.map(({ path }) => path))]);
    for (const place of shown) {
      const { path, line, within, certainty } = place;
      const about = { type, subject: subject ?? '', path, line, certainty };
      places.push(within === undefined ? about : { ...about, within });
      const file = files.get(path);
      const why = whyOf(type, subject ?? '', certainty);
      if (file !== undefined) snippets.push(snippetOf({ side: 'new', file, why }, place));
    }
  }
  return { places, reports, snippets, previousVersion: before };
}

/** Several uses in one function are one place. */
function onePerPlace(found: readonly Reference[]): Reference[] {
  const seen = new Set<string>();
  return found.filter(({ path, startLine, endLine }) => {
    const key = `${startLine}-${endLine}:${path}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function noteOf(count: { subject: string | undefined; total: number; shown: number; unchecked: number }): {
  note?: string;
} {
  if (count.subject === undefined) return { note: 'The request names nothing to look for.' };
  if (count.total === 0) {
    if (count.unchecked > 0)
      return { note: `Nothing certain found; ${count.unchecked} places were not checked.` };
    return { note: 'Nothing found.' };
  }
  return count.total > count.shown ? { note: `${count.total} found, ${count.shown} shown.` } : {};
}

function whyOf(type: FoundPlace['type'], subject: string, certainty: FoundPlace['certainty']): string {
  const possibly = certainty === 'possible';
  switch (type) {
    case 'callers':
      return `${possibly ? 'possibly calls' : 'calls'} ${subject}`;
    case 'search_callers':
      return `${possibly ? 'possibly uses' : 'uses'} ${subject}`;
    case 'search_model_usage':
      return `${possibly ? 'possibly uses' : 'uses'} the model ${subject}`;
    case 'search_implementations':
      return `${possibly ? 'possibly implements' : 'implements'} ${subject}`;
    case 'search_class_methods':
      return `method of ${subject}`;
    case 'search_config_usage':
      return `reads the setting ${subject}`;
    default:
      return `mentions ${subject}`;
  }
}

function tooMany(total: number, kept: number): Warning {
  return {
    code: 'SEARCH_TRUNCATED',
    message: `The searched words stand in ${total} places; the first ${kept} were looked at.`,
    details: { total, kept },
  };
}
