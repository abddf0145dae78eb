// What a run saves against injecting everything: all material of the project, all memory, and the whole chapter.
import { amountOf } from '../../core/model/meter.js';
import type { PromptLanguage } from '../../skills/skill.js';
import { deadline } from '../context/deadline.js';
import type { SetContext } from '../context/set-context.js';
import { estimateTokens } from '../layers/estimate-tokens.js';
import { gatherLayers } from '../layers/gather-layers.js';
import { wordBody } from '../layers/layered-dialect.js';
import { layeredWords } from '../layers/layered-words.js';
import { wantedBy } from '../layers/wanted.js';

export interface Saving {
  /** What everything would cost. */
  readonly everything: number;
  readonly used: number;
  readonly tokens: number;
  /** Part of everything that was saved, 0 to 1. */
  readonly ratio: number;
}

/** What a run says in any case. */
const ownSections: ReadonlySet<string> = new Set(['identity', 'skill', 'task']);
const exactUpTo = 200_000;
const mostSummaries = 50;

export async function savingOf(
  { store, scene, meter, fragments, sealed }: SetContext,
  language: PromptLanguage,
  signal: AbortSignal,
): Promise<Saving> {
  const wanted = { ...wantedBy(undefined), retrieval: false, story: false, summaries: mostSummaries };
  // What the skill does not ask for may fail without anybody needing to know.
  const { fragments: all } = await gatherLayers(
    { store, scene, wanted, entities: [], meter },
    { deadline, signal },
  );
  const always = fragments.filter(({ section }) => ownSections.has(section));
  const words = layeredWords[language];
  let weight = 0;
  for (const { levels } of [...always, ...all]) {
    const body = levels[0]?.body;
    if (body !== undefined) weight += meter.weigh(`${wordBody(body, 1, words)}\n`);
  }
  // A book in one file would take seconds to weigh, only to say that it is too much.
  const chapter = scene.indexed.text;
  weight +=
    chapter.length <= exactUpTo ? meter.weigh(chapter) : Math.ceil(estimateTokens(chapter)) * meter.scale;
  const used = sealed.receipt.used.n;
  const whole = Math.max(used, amountOf(meter, weight).n);
  const tokens = whole - used;
  return {
    everything: whole,
    used,
    tokens,
    ratio: whole === 0 ? 0 : Math.round((tokens / whole) * 1000) / 1000,
  };
}
