// What a session file of an agent CLI tells, in the same words for all of them: what stands in the conversation, what each
// request used, and where the conversation was cut or rewritten. Readers tell it line by line and keep next to nothing.
import type { JsonObject } from '../../models/answer/json-fields.js';
import type { AgentCliName } from '../../models/cli/agent-cli.js';
import type { Usage } from '../../models/contract/model.js';
import { createRecentMap } from './recent-map.js';
import type { WantedFields } from './wanted-fields.js';

/**
 * Who put it there: `added` by the CLI in the user's place, `summary` instead of what was compacted. Calls and answers are the
 * model's own.
 */
export const sessionParts = [
  'system',
  'tools',
  'memory',
  'user',
  'added',
  'summary',
  'assistant',
  'reasoning',
  'call',
  'result',
] as const;

export type SessionPart = (typeof sessionParts)[number];

export interface SessionItem {
  readonly part: SessionPart;
  /** As the model reads it, as far as the file holds it. */
  readonly text: string;
  /** One-based line of the file. */
  readonly line: number;
  /** By which the file names it later on. */
  readonly key?: string | undefined;
  readonly tool?: string | undefined;
  /** The file a tool was used on, as the session names it. */
  readonly target?: string | undefined;
  readonly input?: JsonObject | undefined;
  readonly failed?: boolean | undefined;
}

/** An item as a line holds it, before anybody says which line that was. */
export type ToldItem = Omit<SessionItem, 'line' | 'key'>;
export type ItemPlace = Pick<SessionItem, 'line' | 'key'>;

/** Field by field: to spread two objects into one takes a hundred times as long, and a session has hundreds of thousands. */
export const itemAt = (
  { part, text, tool, target, input, failed }: ToldItem,
  { line, key }: ItemPlace,
): SessionItem => ({ part, text, line, key, tool, target, input, failed });

export interface SessionRequest {
  /** Lines with the same id tell the same request. */
  readonly id: string;
  readonly model: string;
  readonly usage: Usage;
  readonly at?: number | undefined;
  /** How long its provider keeps the prefix, where the file says so. */
  readonly lifeMs?: number | undefined;
  /** Of a helper inside the agent, with a conversation of its own. */
  readonly isHelper?: boolean;
}

export interface SessionBeginning {
  readonly id?: string | undefined;
  /** Absolute, so it never enters an answer. */
  readonly folder?: string | undefined;
  readonly version?: string | undefined;
  readonly at?: number | undefined;
}

export interface SessionCompaction {
  readonly at?: number | undefined;
  readonly by: 'itself' | 'request' | 'unknown';
  readonly tokensBefore?: number | undefined;
  readonly tokensAfter?: number | undefined;
}

export interface SessionListener {
  began?(beginning: SessionBeginning): void;
  item?(item: SessionItem): void;
  /** Told before what the model answered, or behind it. */
  request?(request: SessionRequest, place: 'before' | 'behind'): void;
  /** What stood before is gone, but for items of these keys; what replaces it is told next. */
  replaced?(kept: ReadonlySet<string>): void;
  compacted?(compaction: SessionCompaction): void;
  /** What stood behind the item of this key is gone, or all of it without one: somebody went back. */
  rewound?(key: string | undefined): void;
  /** The items of this key are told anew. */
  retold?(key: string): void;
  /** The CLI was started again on the same file. */
  resumed?(): void;
  /** The room there is, as the CLI sees it. */
  windowSize?(tokens: number): void;
  fileChanged?(path: string): void;
}

/** Whether the line was of a kind that is known. */
export type LineReader = (event: JsonObject, line: number) => boolean;

export interface SessionFormat {
  readonly cli: AgentCliName;
  /** What the reader looks at; nothing else of a line is ever made into a value. */
  readonly wanted: WantedFields;
  open(listener: SessionListener): LineReader;
}

export function timeOf(text: unknown): number | undefined {
  const time = typeof text === 'string' ? millisecondsOf(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Lines of one minute differ in their last digits alone, which are added up faster than a date is read. */
let minute = { text: '', start: 0 };

function millisecondsOf(text: string): number {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d\.\d{3}Z$/.test(text)) return Date.parse(text);
  const until = text.slice(0, 17);
  if (minute.text !== until) minute = { text: until, start: Date.parse(`${until}00.000Z`) };
  return minute.start + Number(text.slice(17, 23)) * 1000;
}

/** Which tool a result belongs to; only calls of late are remembered. */
export function recentCalls() {
  const calls = createRecentMap<Pick<SessionItem, 'tool' | 'target'>>(2_000);
  return {
    note: calls.set,
    find: (id: string | undefined) => (id === undefined ? undefined : calls.get(id)),
  };
}

const pathFields = ['file_path', 'absolute_path', 'notebook_path', 'path', 'dir_path'];

/** The file that the input of a tool names, never any other text of it. */
export function targetOf(input: JsonObject | undefined): string | undefined {
  for (const field of pathFields) {
    const value = input?.[field];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}
