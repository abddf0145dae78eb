// A review looked at is the review that is run, however often it was set before for other budgets.
import { describe, expect, it, onTestFinished } from 'vitest';
import { call } from '../../src/operations/call.js';
import type { AnswerOf } from '../../src/operations/table.js';
import { ReviewLooks } from '../../src/review/look/review-looks.js';
import { bareContext, groundForTest, type ReviewGround } from './review-ground.js';

const token = `ghp_${'A1b2C3d4E5f6G7h8I9j0'.repeat(2).slice(0, 36)}`;

/** What is taken out of the fourth is told where its lines are shown, whichever were tried before. */
const body = (name: string, change = '') =>
  Array.from({ length: 8 }, (_, n) => {
    const more = n === 3 ? change : n === 4 ? ` // ${token}` : '';
    return `export function ${name}${n}(value: number) {\n  return value * ${n};${more}\n}\n`;
  }).join('\n');

function ground(): ReviewGround {
  const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'];
  const users = names.map(
    (name) => `import { ${name}3 } from './${name}.js';\nexport const of${name} = ${name}3(4);\n`,
  );
  return groundForTest(
    (made) => {
      for (const name of names) made.write(`src/${name}.ts`, body(name, ` // changed ${name}`));
      made.write('src/long.ts', `${'export const wide = 1; // a long file\n'.repeat(200)}`);
    },
    (made) => {
      for (const [at, name] of names.entries()) {
        made.write(`src/${name}.ts`, body(name));
        made.write(`src/uses-${name}.ts`, users[at] ?? '');
      }
    },
  );
}

function looking({ repository }: ReviewGround) {
  const looks = new ReviewLooks();
  onTestFinished(() => looks.close());
  const context = { ...bareContext(repository.folder), looks };
  return (request: object = {}) =>
    call('review:inspect', { mode: 'pr', base: 'main', ...request }, context) as Promise<
      AnswerOf<'review:inspect'>
    >;
}

describe('a look at a review', () => {
  it('shows what a run would send, for every budget, in whatever order they are tried', async () => {
    const made = ground();
    const look = looking(made);
    const { look: held } = await look();
    expect(held).not.toBe('');
    let found = 0;
    const levels = { 'src/alpha.ts': 'full_file', 'src/beta.ts': 'diff_only' };
    const steps = [{}, { levels }, {}].map((fields) => ({ maxPromptTokens: 40_000, ...fields }));
    for (const turned of [...[3600, 2900, 40_000, 3600].map((n) => ({ maxPromptTokens: n })), ...steps]) {
      const seen = await look({ look: held, ...turned, texts: [1, 2, 3, 4, 5, 6, 7, 8, 9] });
      const run = await made.dryRun(turned);
      expect(seen.receipt).toEqual(run.receipt);
      found += seen.receipt.redactions.length;
      expect(seen.system).toBe(run.system);
      expect(seen.pages.map(({ prompt }) => prompt)).toEqual(
        run.pages.map(({ prompt }) => prompt).slice(0, 9),
      );
      expect(seen).toMatchObject({ look: held, files: run.files, warnings: run.warnings });
    }
    expect(found).toBeGreaterThan(0);
  });

  it('stays what it was while it is named, and is another one when the change is', async () => {
    const made = ground();
    const look = looking(made);
    const first = await look({ mode: 'working' });
    made.repository.write('src/alpha.ts', body('alpha', ' // changed again'));
    expect((await look({ mode: 'working', look: first.look })).files).toEqual([]);
    const second = await look({ mode: 'working' });
    expect(second.look).not.toBe(first.look);
    expect(second.files.map(({ path }) => path)).toEqual(['src/alpha.ts']);
    // One that is not held is read anew.
    expect((await look({ mode: 'working', look: 'f'.repeat(32) })).look).toBe(second.look);
  });

  it('goes on with the change whose files were shown, and reads it anew for whoever names none', async () => {
    const made = ground();
    const looks = new ReviewLooks();
    onTestFinished(() => looks.close());
    const context = { ...bareContext(made.repository.folder), looks };
    const list = (fields: object = {}) =>
      call('review:changes', { mode: 'working', ...fields }, context) as Promise<AnswerOf<'review:changes'>>;
    made.repository.write('src/alpha.ts', body('alpha', ' // changed again'));
    const shown = await list();
    expect(shown.look).toMatch(/^\w{32}$/);
    made.repository.write('src/beta.ts', body('beta', ' // meanwhile'));
    const inspect = (fields: object) =>
      call('review:inspect', { mode: 'working', ...fields }, context) as Promise<AnswerOf<'review:inspect'>>;
    const set = await inspect({ look: shown.look });
    expect(set).toMatchObject({ look: shown.look, files: [{ path: 'src/alpha.ts' }] });
    const fresh = await list();
    expect(fresh.look).not.toBe(shown.look);
    expect(fresh.entries.map(({ path }) => path)).toEqual(['src/alpha.ts', 'src/beta.ts']);
    const { look: _, ...same } = fresh;
    // Where nothing is held, and for whoever asks for less than the whole change.
    const bare = bareContext(made.repository.folder);
    expect(await call('review:changes', { mode: 'working' }, bare)).toEqual(same);
    expect(await list({ reviewedBefore: ['src/beta.ts'] })).not.toHaveProperty('look');
  });

  it('tells the files of a change while its review is still being set', async () => {
    const looks = new ReviewLooks();
    onTestFinished(() => looks.close());
    const { repository } = ground();
    const change = { repo: '.', mode: 'pr', base: 'main' } as const;
    const options = { folder: repository.folder };
    let end = () => {};
    const begun = new Promise<void>((started) => {
      const setting = () => {
        started();
        return new Promise<void>((done) => {
          end = done;
        });
      };
      void looks.with(change, options, setting);
    });
    await begun;
    expect(await looks.read(change, options, async ({ kept }) => kept.length)).toBe(6);
    end();
  });

  it('shows a file or a unit at the level that is named, and says how much each is shown with', async () => {
    const look = looking(ground());
    const path = 'src/alpha.ts';
    const { look: held, units, receipt } = await look({ units: [path] });
    expect(units).toMatchObject([{ path, decided_by: 'rule' }]);
    const around = (seen: typeof receipt) =>
      seen.ledger.filter(({ layer, ref }) => layer === 'plan' && ref?.startsWith(`ref:${path}`));
    const at = (levels: object) => look({ look: held, units: [path], levels });
    const whole = await at({ [path]: 'full_file' });
    expect(whole.units).toMatchObject([{ level: 'full_file', decided_by: 'request' }]);
    expect(whole.files.find((file) => file.path === path)?.level).toBe('full_file');
    const bare = await at({ [path]: 'full_file', [units[0]?.unit_id ?? '']: 'diff_only' });
    expect(bare.units).toMatchObject([{ level: 'diff_only' }]);
    const lines = (seen: typeof receipt) => around(seen).reduce((sum, { amount = 0 }) => sum + amount, 0);
    expect(lines(whole.receipt)).toBeGreaterThan(lines(receipt));
    expect(around(bare.receipt)).toEqual([]);
    expect((await at({})).receipt).toEqual(receipt);
  });

  it('keeps a piece that is pinned, leaves out one that is not wanted, and never the diff', async () => {
    const made = ground();
    const look = looking(made);
    const all = await look();
    const lines = all.receipt.ledger.filter(({ layer }) => layer === 'related' || layer === 'plan');
    const inside = lines.find(({ verdict }) => verdict === 'kept');
    const outside = lines.find(({ verdict, amount }) => verdict === 'over-own-line' && amount !== undefined);
    expect(inside).toBeDefined();
    const diff = all.receipt.ledger.find(({ layer }) => layer === 'diff');
    const wish = {
      without: [inside?.fragment ?? '', diff?.fragment ?? ''],
      pin: outside === undefined ? [] : [outside.fragment],
    };
    const turned = await look({ look: all.look, ...wish });
    const verdictOf = (id = '') => turned.receipt.ledger.find(({ fragment }) => fragment === id);
    expect(verdictOf(inside?.fragment)).toMatchObject({ verdict: 'withheld', reason: 'asked to stay out' });
    expect(verdictOf(diff?.fragment)?.verdict).toBe('kept');
    if (outside !== undefined)
      expect(verdictOf(outside.fragment)).toMatchObject({ verdict: 'kept', reason: 'pinned' });
    expect((await made.dryRun(wish)).receipt).toEqual(turned.receipt);
  });
});
