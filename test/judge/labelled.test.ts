import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileConstraint, type JudgeContext, judge } from '../../src/writing/judge/judge.js';

interface Labelled {
  readonly id: string;
  readonly part: 'open' | 'held-out';
  readonly check: string;
  readonly violates: boolean;
  readonly constraint: { readonly text: string; readonly kind: string; readonly check?: unknown };
  readonly context: JudgeContext;
  readonly text: string;
}

const passages = readFileSync(new URL('./labelled.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Labelled);

const findingsOf = ({ constraint, text, context }: Labelled) =>
  judge(text, compileConstraint({ id: 'c', ...constraint }), context);

const kinds = [...new Set(passages.map((passage) => passage.check))];
const share = (part: number, whole: number) => (whole === 0 ? 1 : part / whole);

describe('judge on labelled passages', () => {
  it('has at least 300 passages, close to half of them clean', () => {
    expect(passages.length).toBeGreaterThanOrEqual(300);
    expect(share(passages.filter((passage) => !passage.violates).length, passages.length)).toBeGreaterThan(
      0.45,
    );
  });

  it.each(kinds)('%s: at least 95 of 100 findings are right [constraints.judge]', (kind) => {
    const rows = (['open', 'held-out'] as const).map((part) => {
      const own = passages.filter((passage) => passage.check === kind && passage.part === part);
      const flagged = own.filter((passage) => findingsOf(passage).length > 0);
      const right = flagged.filter((passage) => passage.violates).length;
      const wanted = own.filter((passage) => passage.violates).length;
      return { part, flagged: flagged.length, right, wanted };
    });
    for (const { part, flagged, right, wanted } of rows) {
      const precision = share(right, flagged).toFixed(3);
      console.log(
        `${kind} ${part}: precision ${precision} (${right}/${flagged}), recall ${share(right, wanted).toFixed(3)} (${right}/${wanted})`,
      );
    }
    const sum = (pick: (row: (typeof rows)[number]) => number) =>
      rows.reduce((total, row) => total + pick(row), 0);
    expect(
      share(
        sum((row) => row.right),
        sum((row) => row.flagged),
      ),
    ).toBeGreaterThanOrEqual(0.95);
    expect(
      share(
        sum((row) => row.right),
        sum((row) => row.wanted),
      ),
    ).toBeGreaterThanOrEqual(0.8);
  });

  it('quotes its evidence at the offsets it names', () => {
    for (const passage of passages) {
      for (const finding of findingsOf(passage)) {
        expect([...passage.text].slice(finding.start, finding.end).join('')).toBe(finding.evidence);
        expect(finding.evidence).not.toBe('');
      }
    }
  });
});
