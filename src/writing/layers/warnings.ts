// What a caller reads when a source of a layer gives no answer. The assembly goes on without it.

import type { Warning } from '../../core/model/error.js';
import type { Meter } from '../../core/model/meter.js';
import type { FragmentChoice } from '../../core/model/priced-set.js';
import type { Rejection } from '../../core/model/receipt.js';
import type { LayerId } from './layered-recipe.js';

const outage = (code: string, text: string): Warning => ({ code, message: `${code}: ${text}` });

export const outages = {
  constraints: outage('CONSTRAINTS_UNAVAILABLE', '创作约束未注入'),
  entities: outage('KG_UNAVAILABLE', '知识图谱数据未注入'),
  memory: outage('MEMORY_UNAVAILABLE', '记忆数据未注入'),
  settings: outage('SETTINGS_UNAVAILABLE', '项目设定未注入'),
  summaries: outage('SUMMARY_UNAVAILABLE', '近期摘要未注入'),
  story: outage('STORY_UNAVAILABLE', '故事梗概与上一章结尾未注入'),
  retrieval: outage('RETRIEVAL_UNAVAILABLE', '检索片段未注入'),
  embeddings: outage('EMBEDDINGS_UNAVAILABLE', '语义检索不可用，仅按字词检索'),
  document: outage('DOCUMENT_UNAVAILABLE', '当前章节内容未注入'),
} as const;

// Warnings as the words a caller reads: the bare code where it says enough, else the code and a sentence.
const layerNames: Readonly<Record<LayerId | 'people', string>> = {
  rules: '规则层',
  people: '人物层',
  settings: '设定层',
  retrieved: '检索层',
  immediate: '即时层',
};

export const budgetFallback: Warning = {
  code: 'CONTEXT_BUDGET_FALLBACK',
  message:
    'Tokens or the budget could not be worked out; the default budget and an estimate on the safe side are used.',
};

export function warningWords(warnings: readonly Warning[]): string[] {
  const words = warnings.map(({ code, message }) => {
    if (code.startsWith('CONTEXT_')) return code;
    return message.startsWith(`${code}: `) ? message : `${code}: ${message}`;
  });
  return [...new Set(words)];
}

export function overLineWarning(choices: readonly FragmentChoice[], line: number, meter: Meter): Warning[] {
  let removed = 0;
  let weight = 0;
  for (const { verdict, level, wording } of choices) {
    if (wording.fragment.layer !== 'rules') continue;
    if (verdict === 'over-own-line') removed += 1;
    if (level !== undefined) weight += wording.levels[level]?.weight() ?? 0;
  }
  const tokens = Math.ceil(weight / meter.scale);
  if (removed === 0 && tokens <= line) return [];
  const kept = removed === 0 ? '; what the writer wrote or pinned stays' : '';
  return [
    {
      code: 'CONTEXT_RULES_OVERBUDGET',
      message: `Rules stand above their line of ${line} tokens; ${removed} items of the lowest relevance were left out${kept}.`,
      details: { line, tokens, removed },
    },
  ];
}

/** A layer that gave way to the total says so. */
export function trimWarnings(
  choices: readonly FragmentChoice[],
  rejections: readonly Rejection[],
): Warning[] {
  const counts = new Map<string, number>();
  const count = (layer: string) => counts.set(layer, (counts.get(layer) ?? 0) + 1);
  for (const { verdict, wording } of choices) if (verdict === 'conceded') count(wording.fragment.layer);
  for (const { verdict, layer } of rejections) if (verdict === 'withheld') count(layer);
  return [...counts].map(([layer, left]) => ({
    code: 'LAYER_TRIMMED',
    message: `LAYER_TRIMMED: ${layerNames[layer as LayerId] ?? layer}裁剪 ${left} 项`,
    details: { layer, left },
  }));
}
