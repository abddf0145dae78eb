// The same pieces, the same budget, the same tokenizer: fitting them with the press and with prompt-tsx, side by side.
import {
  type BasePromptElementProps,
  OutputMode,
  PromptElement,
  PromptRenderer,
  TextChunk,
  UserMessage,
} from '@vscode/prompt-tsx';
import type { Fragment } from '../src/core/model/fragment.js';
import { hashText } from '../src/meters/content-hash.js';
import { createCountCache, withCountCache } from '../src/meters/count-cache.js';
import { loadMeter } from '../src/meters/load-meter.js';
import { pressLayers } from '../src/writing/context/press-layers.js';
import { type LayerBody, layerFragment } from '../src/writing/layers/layer-fragment.js';
import { layeredDialect } from '../src/writing/layers/layered-dialect.js';
import { defaultBudgetProfile, layeredRecipe } from '../src/writing/layers/layered-recipe.js';
import { chineseWords } from './peers/chinese-words.js';

declare const vscpp: (ctor: unknown, props: object, ...children: unknown[]) => unknown;

const pieces = 200;

/** About 64k tokens in all; `salt` makes every run's text fresh. */
function textOf(index: number, salt: number): string {
  let text = '';
  for (let at = 0; at < 26; at += 1) {
    const mixed = (index * 7_919 + at * 104_729 + salt * 31) % 9_973;
    text += `${chineseWords[mixed % 14]}${chineseWords[(mixed >> 3) % 14]}，第${mixed}日${chineseWords[(mixed >> 5) % 14]}。`;
  }
  return text;
}

interface Counter {
  measured: number;
}

const base = await loadMeter('o200k_base');
const recipe = (total: number) =>
  layeredRecipe(
    { layers: { ...defaultBudgetProfile.layers, rules: { share: 0.15, floor: 0 } } },
    { total, refill: false },
  );

function ours(salt: number, total: number, cache = createCountCache()) {
  const fragments = Array.from(
    { length: pieces },
    (_, index): Fragment<LayerBody> =>
      layerFragment('peer', {
        id: `piece:${index}`,
        source: 'bench',
        layer: 'retrieved',
        section: 'retrieved',
        rank: (index * 37) % pieces,
        position: index,
        body: { kind: 'titled', title: '', text: textOf(index, salt) },
      }),
  );
  const meter = withCountCache(base, cache);
  const before = cache.statistics().measured;
  const start = performance.now();
  const { layout } = pressLayers(fragments, {
    recipe: recipe(total),
    dialect: layeredDialect(),
    meter,
    hash: hashText,
    project: 'peer',
    total,
  });
  layout.set(0);
  const { used } = layout.seal();
  return {
    ms: performance.now() - start,
    used: used.n,
    measured: cache.statistics().measured - before,
  };
}

interface PiecesProps extends BasePromptElementProps {
  readonly salt: number;
}

class Pieces extends PromptElement<PiecesProps> {
  override render() {
    const children = Array.from({ length: pieces }, (_, index) =>
      vscpp(TextChunk, { priority: (index * 37) % pieces }, textOf(index, this.props.salt)),
    );
    return vscpp(UserMessage, {}, ...children) as never;
  }
}

async function theirs(salt: number, total: number) {
  const counter: Counter = { measured: 0 };
  const count = (text: string) => {
    counter.measured += text.length;
    return base.weigh(text);
  };
  const tokenizer = {
    mode: OutputMode.Raw as const,
    tokenLength: (part: { type: unknown; text?: string }) => count(part.text ?? ''),
    countMessageTokens: (message: { content: readonly { text?: string }[] }) =>
      message.content.reduce((sum, part) => sum + count(part.text ?? ''), 3),
  };
  const start = performance.now();
  const renderer = new PromptRenderer<PiecesProps, OutputMode.Raw>(
    { modelMaxPromptTokens: total },
    Pieces as never,
    { salt },
    tokenizer as never,
  );
  const { tokenCount } = await renderer.render();
  return { ms: performance.now() - start, used: tokenCount, measured: counter.measured };
}

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
const rows = [];
for (const total of [16_000, 48_000]) {
  const runs = { fresh: [] as number[], warm: [] as number[], peer: [] as number[] };
  let sizes = { ours: 0, theirs: 0, input: 0, fill: 0, peerFill: 0 };
  for (let run = 0; run < 9; run += 1) {
    const cache = createCountCache();
    const input = Array.from({ length: pieces }, (_, index) => textOf(index, run).length).reduce(
      (a, b) => a + b,
      0,
    );
    const fresh = ours(run, total, cache);
    const warm = ours(run, total, cache);
    const peer = await theirs(run, total);
    runs.fresh.push(fresh.ms);
    runs.warm.push(warm.ms);
    runs.peer.push(peer.ms);
    sizes = {
      ours: fresh.measured,
      theirs: peer.measured,
      input,
      fill: fresh.used / total,
      peerFill: peer.used / total,
    };
  }
  rows.push({
    total,
    freshMs: median(runs.fresh),
    warmMs: median(runs.warm),
    peerMs: median(runs.peer),
    tokenised: sizes.ours / sizes.input,
    peerTokenised: sizes.theirs / sizes.input,
    fill: sizes.fill,
    peerFill: sizes.peerFill,
  });
}
const fixed = (value: number) => value.toFixed(2);
console.log(
  '| budget | press, fresh | press, warm | prompt-tsx | times faster fresh / warm | text tokenised, press / prompt-tsx | filled |',
);
console.log('|---|---|---|---|---|---|---|');
for (const row of rows) {
  console.log(
    `| ${row.total} | ${fixed(row.freshMs)} ms | ${fixed(row.warmMs)} ms | ${fixed(row.peerMs)} ms | ${fixed(row.peerMs / row.freshMs)} / ${fixed(row.peerMs / row.warmMs)} | ${fixed(row.tokenised)} / ${fixed(row.peerTokenised)} × input | ${fixed(row.fill)} / ${fixed(row.peerFill)} |`,
  );
}
console.log(`\n${JSON.stringify({ benchmark: 'writing-peer', rows })}`);
