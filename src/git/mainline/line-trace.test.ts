import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { sweepSize } from '../../../test/sweep-size.js';
import { openRepository, type Repository } from '../repository/open-repository.js';
import { type ScratchRepository, scratchRepository } from '../testing/scratch-repository.js';
import { lineTrace } from './line-trace.js';
import { readMainline } from './mainline.js';
import { touchedBetween, touchedByCommits } from './touched-files.js';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function opened(scratch: ScratchRepository): Promise<Repository> {
  const repository = await openRepository(scratch.folder);
  open.push(() => repository.close());
  return repository;
}

function scratch(): ScratchRepository {
  const made = scratchRepository();
  open.push(() => made.dispose());
  return made;
}

// Few different lines, so that a wrong offset is not hidden by luck, and some that look like parts of a patch.
const text = fc.constantFrom('a', 'b', '', '  c', '-- d', '++ e', '@@ -1 +1 @@', 'diff --git a/x b/x');
const names = ['one.txt', 'a b/zwei "2".txt', '三.txt', 'tab\tname.txt'];
const edit = fc.record({
  file: fc.nat(1),
  at: fc.nat(30),
  remove: fc.nat(4),
  add: fc.array(text, { maxLength: 4 }),
});
const commit = fc.record({
  edits: fc.array(edit, { minLength: 1, maxLength: 4 }),
  rename: fc.option(fc.record({ file: fc.nat(1), to: fc.nat(names.length - 1) }), { freq: 3 }),
});
const start = fc.array(text, { minLength: 12, maxLength: 30 });
const story = fc.record({
  starts: fc.tuple(start, start),
  commits: fc.array(commit, { minLength: 2, maxLength: 6 }),
});

interface Blamed {
  readonly commit: string;
  readonly path: string;
  readonly line: number;
}

/** What git says: lines that are older than `since` are told as lines of that commit. */
function blame(repository: ScratchRepository, since: string, path: string): Blamed[] {
  const said = repository.git(
    '-c',
    'core.quotePath=false',
    'blame',
    '--porcelain',
    `${since}..HEAD`,
    '--',
    path,
  );
  const files = new Map<string, string>();
  const found: Blamed[] = [];
  let last: { commit: string; line: number } | undefined;
  for (const row of said.split('\n')) {
    const head = /^([0-9a-f]{40}) (\d+) \d+/.exec(row);
    if (head !== null) last = { commit: head[1]!, line: Number(head[2]) };
    else if (row.startsWith('filename ')) files.set(last!.commit, unquoted(row.slice('filename '.length)));
    else if (row.startsWith('\t')) found.push({ ...last!, path: files.get(last!.commit)! });
  }
  return found;
}

function unquoted(name: string): string {
  return name.startsWith('"') ? (JSON.parse(name) as string) : name;
}

async function check({ starts, commits }: typeof story extends fc.Arbitrary<infer T> ? T : never) {
  const made = scratch();
  const files = starts.map((lines, at) => ({ name: names[at]!, lines: [...lines, `only ${at}`] }));
  const write = () => {
    for (const { name, lines } of files) made.write(name, lines.map((line) => `${line}\n`).join(''));
  };
  write();
  const ids = [made.commit('first')];
  for (const { edits, rename } of commits) {
    for (const { file, at, remove, add } of edits) files[file]!.lines.splice(at, remove, ...add);
    const target = rename === null ? undefined : names[rename.to]!;
    if (rename !== null && target !== undefined && files.every(({ name }) => name !== target)) {
      made.remove(files[rename.file]!.name);
      files[rename.file]!.name = target;
    }
    write();
    ids.push(made.commit('next'));
  }
  const repository = await opened(made);
  const tip = ids.at(-1)!;
  const steps = await touchedByCommits(repository, { after: ids[0]!, upTo: tip });
  let compared = 0;
  for (const [from, since] of ids.slice(0, -1).entries()) {
    const trace = lineTrace();
    for (const id of ids.slice(from + 1)) trace.step(steps.get(id) ?? []);
    for (const { name } of files) {
      const said = blame(made, since, name);
      const ours = said.map((_, at) => trace.originOf(name, at + 1));
      expect(ours).toEqual(
        said.map(({ commit: id, path, line }) => (id === since ? { path, line } : undefined)),
      );
      compared += said.length;
    }
  }
  return compared;
}

describe('lines followed through history', () => {
  it('are those that git blame finds, through edits and renames', { timeout: 120_000 }, async () => {
    let compared = 0;
    const numRuns = sweepSize('lines against blame', { everyRun: 12, nightly: 200 });
    await fc.assert(
      fc.asyncProperty(story, async (case_) => {
        compared += await check(case_);
        for (const close of open.splice(0).reverse()) await close();
      }),
      { numRuns, seed: 29 },
    );
    expect(compared).toBeGreaterThan(numRuns * 40);
  });

  it('start anew where a file was deleted and written again', async () => {
    const made = scratch();
    made.write('a.txt', 'one\ntwo\n');
    const first = made.commit('first');
    made.remove('a.txt');
    made.commit('gone');
    made.write('a.txt', 'one\ntwo\n');
    const tip = made.commit('back');
    const repository = await opened(made);
    const steps = await touchedByCommits(repository, { after: first, upTo: tip });
    const trace = lineTrace();
    for (const { id } of (await readMainline(repository, tip, { commits: 2 })).reverse())
      trace.step(steps.get(id)!);
    expect(trace.originOf('a.txt', 1)).toBeUndefined();
    expect(trace.originOf('other.txt', 7)).toEqual({ path: 'other.txt', line: 7 });
  });

  it('follow the first parent where branches were merged', async () => {
    const made = scratch();
    made.write('a.txt', 'one\ntwo\nthree\n');
    const first = made.commit('first');
    made.git('checkout', '-q', '-b', 'topic');
    made.write('a.txt', 'zero\none\ntwo\nthree\n');
    const topic = made.commit('topic');
    made.git('checkout', '-q', 'main');
    made.write('a.txt', 'one\ntwo\nthree\nfour\n');
    made.commit('four');
    made.git('merge', '-q', '--no-ff', '-m', 'Merge topic\n\nThe title', 'topic');
    const tip = made.git('rev-parse', 'HEAD');
    const repository = await opened(made);
    const mainline = await readMainline(repository, tip, { commits: 10 });
    expect(mainline.map(({ subject, title, parents }) => [subject, title, parents.length])).toEqual([
      ['Merge topic', 'The title', 2],
      ['four', '', 1],
      ['first', '', 0],
    ]);
    const steps = await touchedByCommits(repository, { after: first, upTo: tip });
    expect(steps.get(tip)).toEqual([
      {
        oldPath: 'a.txt',
        newPath: 'a.txt',
        hunks: [{ oldStart: 0, oldCount: 0, newStart: 1, newCount: 1 }],
      },
    ]);
    expect(await touchedBetween(repository, { from: topic, to: tip })).toEqual([
      {
        oldPath: 'a.txt',
        newPath: 'a.txt',
        hunks: [{ oldStart: 4, oldCount: 0, newStart: 5, newCount: 1 }],
      },
    ]);
  });
});
