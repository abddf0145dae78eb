// What is in the head of an agent, from its session file alone: what fills its window, what was compacted, what the cache did,
// what it cost. Names of tools and files are told, never any text.
import { type Catalog, rowFor } from '../../models/catalog/catalog.js';
import { longWindow } from '../../models/catalog/model-prices.js';
import type { AgentCliName } from '../../models/cli/agent-cli.js';
import type { FoundSession } from './find-sessions.js';
import { withMemoryFiles } from './memory-files.js';
import { type ReadCounts, readSession } from './read-session.js';
import {
  type BreakCause,
  createRequestRecord,
  type ModelCost,
  type PrefixBreak,
  type RequestLine,
} from './request-record.js';
import { type SessionHomes, shownPath } from './session-homes.js';
import type { SessionBeginning, SessionCompaction, SessionPart } from './session-log.js';
import { createSessionWindow, type WindowEntry } from './session-window.js';
import { type WindowWeights, weighWindow } from './weigh-window.js';
import { type HeavyItem, heaviestOf, sharesOf, total, type WindowShare } from './window-shares.js';

export interface BrokenPrefix {
  readonly request: number;
  readonly at?: number;
  readonly cause: BreakCause;
  readonly cachedTokens: number;
  readonly keptTokens: number;
  /** The first thing the provider had to read again, as far as the file tells. */
  readonly block?: {
    readonly part: SessionPart | 'before-messages';
    readonly tool?: string;
    readonly target?: string;
  };
}

export interface SessionRequests {
  readonly count: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  /** The newest, oldest of them first. */
  readonly newest: readonly Omit<RequestLine, 'until' | 'generation'>[];
}

export interface SessionInspection {
  readonly cli: AgentCliName;
  readonly id: string;
  /** Where it took place: `.` for this folder. */
  readonly folder?: string;
  readonly version?: string;
  readonly model?: string;
  readonly startedAt?: number;
  readonly changedAt: number;
  /** In its head now; absent where no request told what it used. */
  readonly tokens?: number;
  readonly windowTokens?: number;
  /** Where the file does not say whether the CLI asked for a longer one. */
  readonly longWindowTokens?: number;
  readonly parts: readonly WindowShare[];
  readonly heaviest: readonly HeavyItem[];
  readonly compactions: readonly SessionCompaction[];
  readonly requests: SessionRequests;
  readonly cacheBreaks: readonly BrokenPrefix[];
  readonly cacheBreakCount: number;
  readonly costs: readonly ModelCost[];
  readonly dollars?: number;
  readonly meter: string;
  readonly exact: boolean;
  readonly scaled?: number;
  /** What the file holds beyond what the last request sent: the rows are larger than its head. */
  readonly unsentTokens?: number;
  /** Whether memory files were counted as they are on disk now, since the session does not hold them. */
  readonly memoryOnDisk?: boolean;
  readonly lines: ReadCounts;
}

interface InspectOptions {
  readonly folder: string;
  readonly homes: SessionHomes;
  readonly catalog: Catalog;
  readonly signal?: AbortSignal | undefined;
}

const maxCompactions = 100;

export async function inspectSession(
  found: FoundSession,
  options: InspectOptions,
): Promise<SessionInspection> {
  const window = createSessionWindow();
  const record = createRequestRecord(options.catalog);
  const compactions: SessionCompaction[] = [];
  const told: { start: SessionBeginning; version?: string | undefined; windowTokens?: number } = {
    start: {},
  };
  const lines = await readSession(
    found,
    {
      began(beginning) {
        const { start, version } = told;
        if (start.folder === undefined) told.start = { ...beginning, at: start.at ?? beginning.at };
        if (version !== undefined && beginning.version !== undefined && version !== beginning.version)
          record.note('version');
        told.version = beginning.version ?? version;
      },
      item: window.add,
      request: (request, place) =>
        record.add(request, {
          until: place === 'before' ? window.entries.length : window.answerStart,
          generation: window.generation,
        }),
      replaced: window.replace,
      compacted(compaction) {
        record.note('compaction');
        compactions.push(compaction);
        if (compactions.length > maxCompactions) compactions.shift();
      },
      rewound: (key) => {
        if (window.cutBehind(key)) record.note('rewind');
      },
      retold: window.remove,
      resumed: () => record.note('resume'),
      windowSize: (tokens) => {
        told.windowTokens = tokens;
      },
    },
    { signal: options.signal },
  );
  const requests = record.finish();
  const last = requests.lines.at(-1);
  const model = last?.model ?? '';
  const weights = await weighWindow(window, { model, lines: requests.lines });
  const now =
    last === undefined ? undefined : fillOf(window.entries, weights, { last, generation: window.generation });
  const show = (path: string) =>
    shownPath(path, { folder: told.start.folder ?? options.folder, person: options.homes.person });
  const sum = (field: 'inputTokens' | 'cachedInputTokens' | 'outputTokens') =>
    requests.costs.reduce((total, cost) => total + cost[field], 0);
  const priced = requests.costs.filter(({ dollars }) => dollars !== undefined);
  const usual = rowFor(model, options.catalog)?.window;
  const mayBeLong = found.cli === 'claude' && usual === longWindow.of;
  const isLong = mayBeLong && requests.largestInput > longWindow.of;
  const windowTokens = told.windowTokens ?? (isLong ? longWindow.tokens : usual);
  const inspection: SessionInspection = {
    cli: found.cli,
    id: told.start.id ?? found.id,
    ...(told.start.folder === undefined
      ? {}
      : { folder: shownPath(told.start.folder, { folder: options.folder, person: options.homes.person }) }),
    ...(told.version === undefined ? {} : { version: told.version }),
    ...(last === undefined ? {} : { model }),
    ...(told.start.at === undefined ? {} : { startedAt: told.start.at }),
    changedAt: found.changedAt,
    ...(now === undefined ? {} : { tokens: now.tokens }),
    ...(windowTokens === undefined ? {} : { windowTokens }),
    ...(mayBeLong && !isLong ? { longWindowTokens: longWindow.tokens } : {}),
    parts: sharesOf(window.entries, weights, now?.notInFile),
    heaviest: heaviestOf(window.entries, weights.tokens, show),
    compactions,
    requests: {
      count: requests.count,
      inputTokens: sum('inputTokens'),
      cachedInputTokens: sum('cachedInputTokens'),
      outputTokens: sum('outputTokens'),
      newest: requests.lines.map(({ until: _, generation: __, ...line }) => line),
    },
    cacheBreaks: requests.breaks.map((one) =>
      shownBreak(one, {
        weights: weights.tokens,
        generation: window.generation,
        notInFile: now?.notInFile,
        entries: window.entries,
        show,
      }),
    ),
    cacheBreakCount: requests.breakCount,
    costs: requests.costs,
    ...(priced.length === 0
      ? {}
      : { dollars: priced.reduce((total, { dollars = 0 }) => total + dollars, 0) }),
    meter: weights.meter,
    exact: weights.exact,
    ...(weights.scaled === undefined ? {} : { scaled: weights.scaled }),
    ...(now?.unsent === undefined ? {} : { unsentTokens: now.unsent }),
    lines,
  };
  const { folder } = told.start;
  if (found.cli !== 'claude' || folder === undefined) return inspection;
  return withMemoryFiles(inspection, { folder, home: options.homes.claude, show });
}

/** What the last request sent, less what the file holds of it, is what the file does not hold. */
function fillOf(
  entries: readonly WindowEntry[],
  weights: WindowWeights,
  { last, generation }: { readonly last: RequestLine; readonly generation: number },
): { tokens: number; notInFile?: number; unsent?: number } {
  const weigh = (from: number, to: number) => total(weights.tokens.slice(from, to));
  const unheld = total(weights.unheld.map(({ tokens }) => tokens));
  // Since the conversation was cut, nobody has told what is left of it.
  if (last.generation !== generation) return { tokens: Math.round(total(weights.tokens) + unheld) };
  const sent = weigh(0, last.until) + unheld;
  const unsent = sent - last.inputTokens;
  return {
    tokens: Math.round(last.inputTokens + weigh(last.until, entries.length)),
    notInFile: Math.max(0, Math.round(-unsent)),
    ...(unsent > last.inputTokens * (weights.exact ? slack.counted : slack.estimated)
      ? { unsent: Math.round(unsent) }
      : {}),
  };
}

/** What a count may be above the provider's own before it shows that something was not sent at all. */
const slack = { counted: 0.1, estimated: 0.5 };

interface BreakContext {
  readonly entries: readonly WindowEntry[];
  readonly weights: readonly number[];
  readonly generation: number;
  readonly notInFile: number | undefined;
  show(path: string): string;
}

/** Only what still stands in the window can be walked to the place where the cache ended. */
function shownBreak(broken: PrefixBreak, context: BreakContext): BrokenPrefix {
  const { request, at, cause, cachedTokens, keptTokens, until, generation } = broken;
  const told = { request, ...(at === undefined ? {} : { at }), cause, cachedTokens, keptTokens };
  const { notInFile, entries, weights } = context;
  if (generation !== context.generation || notInFile === undefined) return told;
  let rest = cachedTokens - notInFile;
  if (rest < 0) return { ...told, block: { part: 'before-messages' } };
  for (let index = 0; index < until; index += 1) {
    rest -= weights[index] ?? 0;
    const entry = entries[index];
    if (rest >= 0 || entry === undefined) continue;
    const { part, tool, target } = entry;
    return {
      ...told,
      block: {
        part,
        ...(tool === undefined ? {} : { tool }),
        ...(target === undefined ? {} : { target: context.show(target) }),
      },
    };
  }
  return told;
}
