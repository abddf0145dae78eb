// Where does each prompt first differ from the one before, and how many tokens lie behind that place?
import type { EngineCall } from './engine-run.js';
import { tokenize } from './tokenized.js';

export type Misses = Readonly<Record<string, { calls: number; tokensPerCall: number }>>;

export function firstMisses(results: readonly EngineCall[]): Misses {
  const sums: Record<string, { calls: number; tokens: number }> = {};
  results.forEach((result, index) => {
    const bytes = Buffer.from(result.text);
    const before = Buffer.from(results[index - 1]?.text ?? '');
    let same = 0;
    while (same < bytes.length && bytes[same] === before[same]) same += 1;
    const tokens = tokenize(bytes);
    const cause = index === 0 ? 'first' : causeAt(result, same);
    const sum = sums[cause] ?? { calls: 0, tokens: 0 };
    sums[cause] = {
      calls: sum.calls + 1,
      tokens: sum.tokens + tokens.ids.length - tokens.tokensBefore(same),
    };
  });
  return Object.fromEntries(
    Object.entries(sums).map(([cause, { calls, tokens }]) => [
      cause,
      { calls, tokensPerCall: Math.round(tokens / Math.max(1, results.length)) },
    ]),
  );
}

function causeAt({ receipt, spans }: EngineCall, offset: number): string {
  const at = spans.findIndex(({ end }) => end > offset);
  const fragment = spans[at]?.fragment ?? 'end';
  const layer = receipt.ledger.find((line) => line.fragment === fragment)?.layer ?? 'end';
  if (layer !== 'immediate') return layer;
  const isFirst = !(spans[at - 1]?.fragment ?? '').startsWith('text:');
  return isFirst ? 'start of the text' : 'text';
}
