// Where does a request stop being the one before with more behind it? There the provider could not go on from its cache. And what
// stood in the one before that does not stand in this one any more?
import type { ModelRequestBody, RequestBlock, RequestSection } from './request-blocks.js';

/** `provider`: nothing changed in the request, and still less was read from the cache; `expired`: after a long pause. */
export const watchedCauses = [
  'model',
  'settings',
  'system',
  'tool',
  'message',
  'compaction',
  'rewind',
  'expired',
  'provider',
] as const;

export type WatchedCause = (typeof watchedCauses)[number];

export interface BrokenBlock extends Pick<RequestBlock, 'section' | 'number' | 'part' | 'tool' | 'target'> {
  readonly change: 'changed' | 'added' | 'removed';
  /** The first path in the body that differs. */
  readonly path: string;
}

export interface RequestComparison {
  /** How many blocks, in the order they are read, are the same. */
  readonly same: number;
  readonly cause?: WatchedCause;
  readonly block?: BrokenBlock | undefined;
  /** Of the messages before. */
  readonly dropped: readonly RequestBlock[];
}

const sectionOf = ({ blocks }: ModelRequestBody, section: RequestSection) =>
  blocks.filter((block) => block.section === section);

export function compareRequests(before: ModelRequestBody, now: ModelRequestBody): RequestComparison {
  const dropped = droppedOf(before, now);
  if (before.model !== now.model) return { same: 0, cause: 'model', dropped };
  let same = 0;
  for (const section of now.order) {
    const old = sectionOf(before, section);
    const fresh = sectionOf(now, section);
    const at = firstDifference(old, fresh);
    same += at;
    if (at === old.length && (section === 'messages' || at === fresh.length)) continue;
    const cause = section === 'messages' ? messageCause(old, fresh, at) : causeOf[section];
    return { same, cause, block: brokenBlock(old[at], fresh[at]), dropped };
  }
  return { same, dropped };
}

const causeOf = { tools: 'tool', system: 'system', settings: 'settings' } as const;

export function firstDifference(old: readonly RequestBlock[], fresh: readonly RequestBlock[]): number {
  let at = 0;
  while (at < old.length && at < fresh.length && old[at]?.hash === fresh[at]?.hash) at += 1;
  return at;
}

function droppedOf(before: ModelRequestBody, now: ModelRequestBody): RequestBlock[] {
  const here = new Set(sectionOf(now, 'messages').map(({ hash }) => hash));
  return sectionOf(before, 'messages').filter(({ hash }) => !here.has(hash));
}

function messageCause(
  old: readonly RequestBlock[],
  fresh: readonly RequestBlock[],
  at: number,
): 'compaction' | 'rewind' | 'message' {
  const known = new Set(old.map(({ hash }) => hash));
  const rest = fresh.slice(at);
  if (rest.some(({ part, hash }) => part === 'summary' && !known.has(hash))) return 'compaction';
  if (fresh.length >= old.length) return 'message';
  // Shorter: either the end was given up, or the beginning.
  return at > 0 && !rest.some(({ hash }) => known.has(hash)) ? 'rewind' : 'compaction';
}

function brokenBlock(
  old: RequestBlock | undefined,
  fresh: RequestBlock | undefined,
): BrokenBlock | undefined {
  const block = fresh ?? old;
  if (block === undefined) return undefined;
  const { section, number, part, tool, target } = block;
  const change = old === undefined ? 'added' : fresh === undefined ? 'removed' : 'changed';
  return { section, number, part, tool, target, change, path: pathOf(block, old, fresh) };
}

function pathOf(block: RequestBlock, old: RequestBlock | undefined, fresh: RequestBlock | undefined): string {
  const { place, section } = block;
  // A text that stands alone has no inner places.
  if (old === undefined || fresh === undefined || (section !== 'settings' && !place.endsWith(']')))
    return place;
  return differingPath(JSON.parse(old.json), JSON.parse(fresh.json), place).replace(/^\./, '');
}

function differingPath(old: unknown, fresh: unknown, path: string): string {
  if (Array.isArray(old) && Array.isArray(fresh)) {
    const at = [...old, ...fresh].findIndex((_, index) => !isSame(old[index], fresh[index]));
    return differingPath(old[at], fresh[at], `${path}[${at}]`);
  }
  if (!isRecord(old) || !isRecord(fresh)) return path;
  const names = [...new Set([...Object.keys(fresh), ...Object.keys(old)])];
  const name = names.find((each) => !isSame(old[each], fresh[each]));
  // Only the order of the fields differs.
  return name === undefined ? path : differingPath(old[name], fresh[name], `${path}.${name}`);
}

const isSame = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right);
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
