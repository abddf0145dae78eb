// What a run saves against injecting everything: all material of the project, all memory, and the whole chapter.
import type { Fragment } from '../../core/model/fragment.js';
import { amountOf, type Meter } from '../../core/model/meter.js';
import { estimateTokens } from '../layers/estimate-tokens.js';
import type { LayerBody } from '../layers/layer-body.js';
import { wordBody } from '../layers/layered-dialect.js';
import type { LayeredWords } from '../layers/layered-words.js';

export interface Saving {
  /** What everything would cost. */
  readonly everything: number;
  readonly used: number;
  readonly tokens: number;
  /** Part of everything that was saved, 0 to 1. */
  readonly ratio: number;
}

export interface Everything {
  readonly gathered: readonly Fragment<LayerBody>[];
  /** What stands in every prompt, whatever the rules say. */
  readonly always: readonly string[];
  readonly chapter: string;
  readonly words: LayeredWords;
}

const exactUpTo = 200_000;

export function savingOf(meter: Meter, used: number, everything: Everything): Saving {
  const { gathered, always, chapter, words } = everything;
  let weight = always.reduce((sum, text) => sum + meter.weigh(`${text}\n`), 0);
  for (const { levels, section } of gathered) {
    const body = levels[0]?.body;
    if (body !== undefined && section !== 'retrieved') weight += meter.weigh(`${wordBody(body, 1, words)}\n`);
  }
  // A book in one file would take seconds to weigh, only to say that it is too much.
  weight +=
    chapter.length <= exactUpTo ? meter.weigh(chapter) : Math.ceil(estimateTokens(chapter)) * meter.scale;
  const whole = Math.max(used, amountOf(meter, weight).n);
  const tokens = whole - used;
  return {
    everything: whole,
    used,
    tokens,
    ratio: whole === 0 ? 0 : Math.round((tokens / whole) * 1000) / 1000,
  };
}
