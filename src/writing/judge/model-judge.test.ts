import { describe, expect, it } from 'vitest';
import { verifyReceipt } from '../../core/seal/seal.js';
import { hashText } from '../../meters/content-hash.js';
import type { Constraint } from '../../store/tables/constraints.js';
import { type ScriptedModel, scriptedModel } from '../../testing/scripted-model.js';
import { paragraphsOf } from '../passages/passage-prompt.js';
import { judgeByModel } from './model-judge.js';

const constraint = (text: string) => ({ id: text, text }) as Constraint;
const timeouts = { firstByteMs: 1_000, totalMs: 1_000 };
const catalog = (window: number) => ({
  version: 'test',
  rows: [{ model: 'small/*', input: 0, output: 0, window, mostOutput: 200 }],
});
const judge = (model: ScriptedModel, text: string, window = 2_000) => {
  const ports = { model, timeouts, signal: new AbortController().signal, catalog: catalog(window) };
  return judgeByModel(text, [constraint('No rain.'), constraint('Nobody\nleaves.')], ports);
};
const nothing = '{"findings":[]}';
const chapter = Array.from({ length: 120 }, (_, index) => `Paragraph ${index}: he waited for the train.\n\n`);

describe('a model judge', () => {
  it('is sent one sealed text: role, numbered constraints, the passage in a fence [wire.sealed]', async () => {
    const model = scriptedModel([nothing], 'small/model');
    const { runs, receipts, warnings } = await judge(model, 'He left.\n');
    expect(model.requests[0]?.system).toContain('numbered constraints');
    expect(model.requests[0]?.prompt).toMatch(
      /^Constraints:\n1\. No rain\.\n2\. Nobody leaves\.\n===== BEGIN (PASSAGE \w+ =====)\nHe left\.\n\n===== END \1$/,
    );
    expect(runs).toMatchObject([{ kind: 'judge', receipt: receipts[0]?.id }]);
    expect(receipts.map((receipt) => verifyReceipt(receipt, hashText))).toEqual(['sealed']);
    expect(warnings).toEqual([]);
  });

  it('reads a long text in pieces between paragraphs, each within its window [wire.window]', async () => {
    const text = chapter.join('');
    const quote = 'Paragraph 119: he waited';
    const found = JSON.stringify({ findings: [{ constraint: 1, quote, reason: 'x' }] });
    const model = scriptedModel([nothing, nothing, found], 'small/model');
    const { runs, receipts, findings } = await judge(model, text, 1_200);
    expect(runs.length).toBe(3);
    expect(runs.map(({ page }) => page)).toEqual(runs.map((_, index) => index + 1));
    for (const { used, budget } of receipts) {
      expect(budget.n).toBe(1_000);
      expect(used.n).toBeLessThanOrEqual(1_000);
    }
    const passages = model.requests.map(
      ({ prompt }) => /PASSAGE \w+ =====\n([\s\S]*)\n===== END/.exec(prompt)?.[1] ?? '',
    );
    expect(passages.join('')).toBe(text);
    expect(passages.every((passage) => /^Paragraph \d+:/.test(passage))).toBe(true);
    expect(findings).toMatchObject([{ constraintId: 'No rain.', evidence: quote }]);
    expect(findings[0]?.start).toBe(text.indexOf(quote));
  });

  it('says what it did not read, and never cuts a paragraph [constraints.judge]', async () => {
    const model = scriptedModel([nothing], 'small/model');
    const { runs, warnings } = await judge(
      model,
      `He left.\n${'endless '.repeat(3_000)}\nShe stayed.\n`,
      1_200,
    );
    expect(runs).toHaveLength(1);
    expect(model.requests[0]?.prompt).toContain('She stayed.');
    expect(model.requests[0]?.prompt).not.toContain('endless');
    expect(warnings).toMatchObject([{ code: 'JUDGE_PARTIAL' }]);
    const none = await judge(scriptedModel([nothing], 'small/model'), 'endless '.repeat(3_000), 1_200);
    expect(none).toMatchObject({ runs: [], warnings: [{ code: 'JUDGE_PARTIAL' }] });
    const narrow = await judge(scriptedModel([nothing], 'small/model'), 'He left.', 220);
    expect(narrow.warnings).toMatchObject([{ code: 'JUDGE_UNAVAILABLE' }]);
  });

  it('takes paragraphs apart so that together they are the text', () => {
    for (const text of [
      '',
      'a',
      'a\n',
      '\n\na\r\n\r\nb\n\n\nc',
      chapter.join(''),
      `${'x'.repeat(2_000)}\ny`,
    ]) {
      const pieces = paragraphsOf(text).map(({ start, end }) => text.slice(start, end));
      expect(pieces.join('')).toBe(text);
      expect(pieces.slice(1).every((piece) => /^[^\r\n]/.test(piece))).toBe(true);
    }
  });
});
