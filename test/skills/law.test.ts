// Whatever the text and the budget: the run fits or refuses, its text stays whole, what is beside it is unbroken and nearest,
// and more room never loses a piece.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isGalleyError } from '../../src/core/model/error.js';
import { loadMeter } from '../../src/meters/load-meter.js';
import type { AssembledSkill } from '../../src/writing/skill-run/assemble-skill.js';
import { sweepSize } from '../sweep-size.js';
import { openWorkshop, type Workshop } from './workshop.js';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop();
  const { store } = workshop;
  await store.constraints.create('novel', { id: 'c', kind: 'world', text: '没有魔法', pinned: true });
  for (let n = 0; n < 12; n += 1) {
    await store.entities.put('novel', { name: `人物${n}`, description: '说来话长。'.repeat(4) });
    await store.memory.put('novel', {
      id: `m${n}`,
      kind: 'semantic',
      text: `偏好第${n}条，写得短一点`,
      confidence: n / 12,
    });
    await store.summaries.add('novel', { id: `s${n}`, text: `第${n}次运行的摘要。`, documentId: 'd' });
  }
  await workshop.write('.galley/style-guide.md', '短句为主。'.repeat(20));
});
afterAll(() => workshop.close());

const sentence = fc.constantFrom(
  '雨停了。',
  '人物3走进门，',
  'He said “no”.',
  '他没有说话\n\n',
  '😀𠮷',
  '人物7和人物8在等。',
);
const prose = fc.array(sentence, { minLength: 1, maxLength: 80 }).map((parts) => parts.join(''));

async function attempt(request: object): Promise<AssembledSkill | undefined> {
  try {
    return await workshop.dryRun(request);
  } catch (error) {
    if (isGalleyError(error) && error.code === 'CONTEXT_BUDGET_INFEASIBLE') return undefined;
    throw error;
  }
}

const keptOf = (run: AssembledSkill) =>
  new Set(run.receipt.ledger.filter(({ verdict }) => verdict === 'kept').map(({ fragment }) => fragment));

describe('a skill run', () => {
  it('fits, keeps its text whole and loses nothing with more room [skill.select]', async () => {
    const meter = await loadMeter('o200k_base');
    const numRuns = sweepSize('laws of a skill run', { everyRun: 20, nightly: 600 });
    let refused = 0;
    let trimmed = 0;
    await fc.assert(
      fc.asyncProperty(
        prose,
        fc.constantFrom('polish', 'continue', 'expand', 'consistency'),
        fc.record({
          from: fc.nat({ max: 99 }),
          size: fc.nat({ max: 30 }),
          tokens: fc.integer({ min: 300, max: 3000 }),
          language: fc.constantFrom(undefined, 'zh', 'en'),
        }),
        async (text, skillId, { from, size, tokens, language }) => {
          const points = [...text];
          const start = Math.min(points.length - 1, Math.floor((points.length * from) / 100));
          const selection = { start, end: Math.min(points.length, start + 1 + size) };
          const request = { skillId, documentId: 'd', text, selection, language };
          const run = await attempt({ ...request, budget: { tokens } });
          if (run === undefined) {
            refused += 1;
            return;
          }
          const selected = points.slice(selection.start, selection.end).join('');
          expect(meter.weigh(run.systemPrompt) + meter.weigh(run.userContent)).toBeLessThanOrEqual(tokens);
          expect(run.userContent).toContain(selected.trimEnd());
          expect(run.systemPrompt).toContain('没有魔法');
          const pieces = run.receipt.ledger.filter(({ section }) => section === 'text');
          const before = pieces
            .filter(({ fragment }) => fragment.startsWith('text:before:'))
            .map(({ verdict }) => verdict);
          // From the first piece that stays, none is missing up to the selection.
          const first = before.indexOf('kept');
          if (first >= 0) expect(before.slice(first)).not.toContain('conceded');
          if (run.receipt.concessions.made > 0) trimmed += 1;
          const roomier = await attempt({ ...request, budget: { tokens: tokens + 200 } });
          expect(roomier).toBeDefined();
          const kept = keptOf(roomier as AssembledSkill);
          for (const id of keptOf(run)) expect(kept).toContain(id);
        },
      ),
      { numRuns, seed: 7 },
    );
    expect(refused).toBeGreaterThan(numRuns / 30);
    expect(trimmed).toBeGreaterThan(numRuns / 12);
  });
});
