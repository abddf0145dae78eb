// The memory files that Claude Code sends and does not write into its session, as they are on disk now: of the folder, of those around
// it, and of the user. Imports in them are not followed. Where more stands there than the requests had room for, it was not sent.
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { loadMeter } from '../../meters/load-meter.js';
import { type HeavyItem, mostHeavy, type WindowShare, windowKinds } from './window-shares.js';

interface MemoryPlaces {
  /** Where the session took place. */
  readonly folder: string;
  /** Where Claude Code keeps what is the user's. */
  readonly home: string;
  show(path: string): string;
}

interface Weighed {
  readonly parts: readonly WindowShare[];
  readonly heaviest: readonly HeavyItem[];
  readonly meter: string;
  readonly scaled?: number;
}

export async function withMemoryFiles<Inspection extends Weighed>(
  inspection: Inspection,
  { folder, home, show }: MemoryPlaces,
): Promise<Inspection & { readonly memoryOnDisk?: boolean }> {
  const unknown = inspection.parts.find(({ kind }) => kind === 'not-in-file')?.tokens ?? 0;
  if (unknown === 0) return inspection;
  const meter = await loadMeter(inspection.meter);
  const scale = (inspection.scaled ?? 1) / meter.scale;
  const files = (await Promise.all(placesFrom(folder, home).map(readStart))).filter(
    (file) => file !== undefined,
  );
  const items = files.map(
    ({ path, text }): HeavyItem => ({
      part: 'memory',
      target: show(path),
      times: 1,
      tokens: Math.round(meter.weigh(text) * scale),
    }),
  );
  const tokens = items.reduce((sum, item) => sum + item.tokens, 0);
  if (tokens === 0 || tokens > unknown) return inspection;
  return {
    ...inspection,
    parts: withMemory(inspection.parts, { tokens, items: items.length }),
    heaviest: [...inspection.heaviest, ...items]
      .sort((left, right) => right.tokens - left.tokens)
      .slice(0, mostHeavy),
    memoryOnDisk: true,
  };
}

/** A row of its own, which the rest is less by; a session may name some memory files already. */
function withMemory(
  shares: readonly WindowShare[],
  { tokens, items }: Pick<WindowShare, 'tokens' | 'items'>,
): WindowShare[] {
  const byKind = new Map(shares.map((share) => [share.kind, share]));
  const held = byKind.get('memory');
  byKind.set('memory', {
    kind: 'memory',
    tokens: (held?.tokens ?? 0) + tokens,
    items: (held?.items ?? 0) + items,
  });
  const rest = byKind.get('not-in-file');
  if (rest !== undefined) byKind.set('not-in-file', { ...rest, tokens: rest.tokens - tokens });
  return windowKinds.flatMap((kind) => byKind.get(kind) ?? []);
}

const names = ['CLAUDE.md', join('.claude', 'CLAUDE.md'), 'CLAUDE.local.md'];

function placesFrom(folder: string, home: string): string[] {
  const places = [join(home, 'CLAUDE.md')];
  for (let at = folder; ; at = dirname(at)) {
    places.push(...names.map((name) => join(at, name)));
    if (at === dirname(at)) return [...new Set(places)];
  }
}

/** Longer than any that is of use. */
const maxBytes = 1 << 20;

async function readStart(path: string): Promise<{ path: string; text: string } | undefined> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
    return { path, text: buffer.toString('utf8', 0, bytesRead) };
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}
