// What each entry of a window weighs, in tokens of the model that reads it. An estimate errs on the safe side, so where the
// session itself shows by how much its requests grew, it is brought to that scale.
import { loadMeter } from '../../meters/load-meter.js';
import { meterForModel } from '../../meters/meter-for-model.js';
import type { RequestLine } from './request-record.js';
import type { SessionPart } from './session-log.js';
import type { SessionWindow } from './session-window.js';

export interface WindowWeights {
  /** For each entry of the window. */
  readonly tokens: readonly number[];
  readonly unheld: readonly { readonly part: SessionPart; readonly tokens: number; readonly items: number }[];
  readonly meter: string;
  /** Counted by the vocabulary of the model; estimated otherwise. */
  readonly exact: boolean;
  /** What the estimate was multiplied by, where the session shows it. */
  readonly scaled?: number;
}

export async function weighWindow(
  window: SessionWindow,
  { model, lines }: { readonly model: string; readonly lines: readonly RequestLine[] },
): Promise<WindowWeights> {
  const { entries } = window;
  const meter = await loadMeter(meterForModel(model).meter);
  const raw = entries.map(({ text }) => meter.weigh(text) / meter.scale);
  const scaled = meter.exact ? undefined : growth(raw, lines, window.generation);
  const tokens = scaled === undefined ? raw : raw.map((weight) => weight * scaled);
  const length = entries.reduce((sum, entry) => sum + entry.length, 0);
  const perUnit = length === 0 ? 0.25 : tokens.reduce((sum, weight) => sum + weight, 0) / length;
  return {
    tokens,
    unheld: window.unheld.map(({ part, length: units, items }) => ({ part, items, tokens: units * perUnit })),
    meter: meter.id,
    exact: meter.exact && window.unheld.length === 0,
    ...(scaled === undefined ? {} : { scaled: Math.round(scaled * 1000) / 1000 }),
  };
}

/** Below that the markup of a request weighs too much in it. */
const enough = 2_000;

/** By how much the requests of this window grew, against what we make of what was added between them. */
function growth(
  raw: readonly number[],
  lines: readonly RequestLine[],
  generation: number,
): number | undefined {
  const own = lines.filter((line) => line.generation === generation);
  const [first] = own;
  const last = own.at(-1);
  if (first === undefined || last === undefined || first.model !== last.model) return undefined;
  const added = raw.slice(first.until, last.until).reduce((sum, weight) => sum + weight, 0);
  const factor = (last.inputTokens - first.inputTokens) / added;
  return added >= enough && factor > 0.6 && factor < 1.2 ? factor : undefined;
}
