// Promise: one prompt of 2,000, 4,000 or 8,000 tokens keeps more of the lines that the same pull request changes again later
// than a cut, whole files or a greedy choice of hunks would. Lines of code files count, by chars/4 for everybody. What counts how much
// was searched for on svelte, cline, gemini-cli, typescript-sdk, kysely and gin, and chosen with the repositories below in view.
// Usage: review-retention [--every n] [repository …]
import { mkdirSync, writeFileSync } from 'node:fs';
import { isGalleyError } from '../src/core/model/error.js';
import { reviewRequest } from '../src/review/change/review-request.js';
import { withPages } from '../src/review/pages/page-set.js';
import { seededRandom } from './peers/random.js';
import { codeFile, git } from './quality/git-reader.js';
import { askedRows, pageRepositories } from './quality/protocol.js';
import type { Row } from './quality/read-rows.js';
import { readRows } from './quality/read-rows.js';
import { gitDirectory } from './quality/repositories.js';

const args = process.argv.slice(2);
const at = args.indexOf('--every');
const every = Number(at < 0 ? 1 : args.splice(at, 2)[1]);
const repositories = args.length > 0 ? args : ['hono', 'trpc', 'zod', 'nitro', 'express'];
const budgets = [2000, 4000, 8000];
const diffFlags = ['-U3', '--diff-algorithm=histogram', '--no-color', '--no-ext-diff', '-M50%'];
/** Galley gives up unchanged lines before changed ones; so that this alone is no lead, every peer also gets a diff that has few. */
const narrow = ', -U1';

interface FilePatch {
  readonly path: string;
  readonly head: string;
  readonly hunks: readonly string[];
  readonly deleted: boolean;
}

/** Files and hunks of a patch, with every line where it stood. */
function filesIn(patch: string): FilePatch[] {
  return patch.split(/^(?=diff --git )/m).flatMap((text) => {
    if (!text.startsWith('diff --git ')) return [];
    const [head = '', ...hunks] = text.split(/^(?=@@ -)/m);
    const path = /^\+\+\+ b\/(.*?)\t?$/m.exec(head)?.[1] ?? /^rename to (.*)$/m.exec(head)?.[1] ?? '';
    return [{ path, head, hunks, deleted: /^deleted file/m.test(head) }];
  });
}

/**
 * The added lines as `path:line`, by where they come in the old file: the hunks of a page are numbered as they apply, so that the new
 * numbers move when an earlier hunk is left out and the old ones do not. A cut patch counts as far as it goes.
 */
function linesIn(patch: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const { path, hunks } of filesIn(patch))
    for (const hunk of hunks) {
      const [, oldStart, oldCount = '1', newStart] = /^@@ -(\d+)(?:,(\d+))? \+(\d+)/.exec(hunk) ?? [];
      let old = Number(oldStart) + Number(oldCount === '0');
      let line = Number(newStart);
      let nth = 0;
      for (const text of hunk.split('\n').slice(1)) {
        if (text.startsWith('+')) {
          found.set(`${path}:${old} ${nth}`, `${path}:${line}`);
          line += 1;
          nth += 1;
        } else if (text.startsWith(' ') || text.startsWith('-')) {
          if (text.startsWith(' ')) line += 1;
          old += 1;
          nth = 0;
        }
      }
    }
  return found;
}

/** Lines of the snapshot that the head no longer has. */
function changedLater(directory: string, { snapshot, head }: Row): Set<string> {
  // From the head back to the snapshot, what the head lost stands as added.
  const patch = git(directory, ['diff', ...diffFlags, '--no-renames', '-U0', head!, snapshot!]);
  return new Set(linesIn(patch).values());
}

const pathOf = (line: string) => line.slice(0, line.lastIndexOf(':'));
const tokensOf = (text: string) => Math.ceil(text.length / 4);
const isSource = (path: string) =>
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|c|h|cc|cpp|hpp|swift|scala|svelte|vue)$/.test(path) &&
  !/(?:^|\/)(?:tests?|__tests__|spec|docs?|examples?|bench(?:mark)?s?)\/|[._-](?:test|spec)\.|_test\./.test(
    path,
  );

type Choose = (files: readonly FilePatch[], tokens: number) => string;

function takeWhole(
  order: (a: FilePatch, b: FilePatch) => number,
  keep: (file: FilePatch) => boolean,
): Choose {
  return (files, tokens) => {
    const sorted = files.filter(keep).toSorted(order);
    let left = tokens;
    return sorted
      .map(({ head, hunks }) => head + hunks.join(''))
      .filter((text) => {
        const price = tokensOf(text);
        if (price > left) return false;
        left -= price;
        return true;
      })
      .join('');
  };
}

/** Hunks while they fit, in the order given; a file's head is paid with its first hunk. */
function takeHunks(order: (files: readonly FilePatch[]) => { file: FilePatch; hunk: string }[]): Choose {
  return (files, tokens) => {
    let left = tokens;
    const kept = new Map<FilePatch, string[]>();
    for (const { file, hunk } of order(files)) {
      const price = tokensOf(hunk) + (kept.has(file) ? 0 : tokensOf(file.head));
      if (price > left) continue;
      left -= price;
      kept.set(file, [...(kept.get(file) ?? []), hunk]);
    }
    return [...kept].map(([{ head }, hunks]) => head + hunks.join('')).join('');
  };
}

const sizeOf = ({ head, hunks }: FilePatch) =>
  head.length + hunks.reduce((sum, hunk) => sum + hunk.length, 0);
const allHunks = (files: readonly FilePatch[]) =>
  files.flatMap((file) => file.hunks.map((hunk) => ({ file, hunk })));
const peers: Record<string, Choose> = {
  'naive cut': (files, tokens) =>
    files
      .map(({ head, hunks }) => head + hunks.join(''))
      .join('')
      .slice(0, tokens * 4),
  'whole files, large first': takeWhole(
    (a, b) => sizeOf(b) - sizeOf(a),
    ({ deleted }) => !deleted,
  ),
  'whole files, small first': takeWhole(
    (a, b) => sizeOf(a) - sizeOf(b),
    () => true,
  ),
  'hunks, source first': takeHunks((files) =>
    allHunks(files).toSorted((a, b) => Number(isSource(b.file.path)) - Number(isSource(a.file.path))),
  ),
  'hunks, source first, small first': takeHunks((files) =>
    allHunks(files).toSorted(
      (a, b) =>
        Number(isSource(b.file.path)) - Number(isSource(a.file.path)) || a.hunk.length - b.hunk.length,
    ),
  ),
};

/** The diff of the one prompt and what stands around it; nothing where the project's rules alone are above the limit. */
async function ours(
  directory: string,
  { base, snapshot }: Row,
  tokens: number,
): Promise<{ text: string; around: number } | undefined> {
  const request = reviewRequest.parse({
    repo: directory,
    mode: 'pr',
    base,
    head: snapshot,
    maxPages: 1,
    maxPromptTokens: tokens,
    meter: 'chars/4',
  });
  try {
    return await withPages(request, { folder: directory }, async (set) => {
      for await (const { text, tokens: all, diffTokens } of set.chunks())
        return { text: text.slice(text.indexOf('## Code Changes')), around: all - diffTokens };
      return { text: '', around: 0 };
    });
  } catch (error) {
    if (isGalleyError(error) && error.code === 'CONTEXT_BUDGET_INFEASIBLE') return undefined;
    throw error;
  }
}

interface Cell {
  readonly repository: string;
  readonly pr: number;
  readonly method: string;
  readonly budget: number;
  readonly share: number;
  /** The same commits stood under another number before. */
  readonly isTwin: boolean;
}

const cells: Cell[] = [];
let refused = 0;
for (const repository of repositories) {
  const directory = gitDirectory(repository);
  if (directory === undefined) continue;
  const all = pageRepositories.includes(repository)
    ? askedRows(repository, 'prfollow')
    : readRows(repository, ['prfollow']);
  const rows = all.filter((_, index) => index % every === 0);
  const known = new Set<string>();
  for (const [pr, row] of rows.entries()) {
    const patch = git(directory, ['diff', ...diffFlags, row.base!, row.snapshot!]);
    const later = changedLater(directory, row);
    const gold = [...linesIn(patch)].flatMap(([place, line]) =>
      later.has(line) && codeFile.test(pathOf(line)) ? [place] : [],
    );
    if (gold.length === 0) continue;
    const files = filesIn(patch);
    const few = filesIn(git(directory, ['diff', ...diffFlags, '-U1', row.base!, row.snapshot!]));
    const twin = [row.base, row.snapshot, ...gold].join(' ');
    const isTwin = known.has(twin);
    known.add(twin);
    for (const budget of budgets) {
      const record = (method: string, text: string) => {
        const seen = linesIn(text);
        const share = gold.filter((line) => seen.has(line)).length / gold.length;
        cells.push({ repository, pr, method, budget, share, isTwin });
      };
      const prompt = await ours(directory, row, budget);
      if (prompt === undefined) {
        refused += 1;
        continue;
      }
      // Rules and headings stand in every prompt, whoever chooses the hunks.
      for (const [method, choose] of Object.entries(peers)) {
        record(method, choose(files, budget - prompt.around));
        record(`${method}${narrow}`, choose(few, budget - prompt.around));
      }
      record('galley', prompt.text);
    }
  }
  console.error(`${repository}: ${rows.length} pull requests`);
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
const named = [...new Set(cells.map(({ repository }) => repository))];

function rowsOf(counted: readonly Cell[]) {
  const methods = Object.keys(peers).flatMap((name) => [name, `${name}${narrow}`]);
  return [...methods, 'galley'].map((method) => {
    const share = (budget: number, repository: string) =>
      mean(
        counted
          .filter(
            (cell) => cell.method === method && cell.budget === budget && cell.repository === repository,
          )
          .map((cell) => cell.share),
      );
    const byRepository = named.map((repository) => budgets.map((budget) => share(budget, repository)));
    const macro = budgets.map((_, index) => mean(byRepository.map((one) => one[index]!)));
    return { method, macro, byRepository };
  });
}

/** How far we stand above a peer: mean over repositories, and where nine in ten resamples of the pull requests fall. */
const random = seededRandom(7);
function aboveOf(counted: readonly Cell[], peer: string, budget: number) {
  const gaps = named.map((repository) => {
    const of = (method: string) =>
      new Map(
        counted
          .filter(
            (cell) => cell.method === method && cell.budget === budget && cell.repository === repository,
          )
          .map(({ pr, share }) => [pr, share]),
      );
    const theirs = of(peer);
    return [...of('galley')].map(([pr, share]) => share - (theirs.get(pr) ?? 0));
  });
  const samples = Array.from({ length: 2000 }, () =>
    mean(gaps.map((list) => mean(list.map(() => list[Math.floor(random() * list.length)] ?? 0)))),
  ).sort((x, y) => x - y);
  return { mean: mean(gaps.map(mean)), low: samples[100]!, high: samples[1899]! };
}

/** Against the best peer at each budget, once of those that get the diff as git writes it, once of those that get a narrow one. */
function leadsOf(counted: readonly Cell[]) {
  const rows = rowsOf(counted);
  return [false, true].flatMap((isNarrow) =>
    budgets.map((budget, index) => {
      const [best] = rows
        .filter(({ method }) => method !== 'galley' && method.endsWith(narrow) === isNarrow)
        .toSorted((a, b) => b.macro[index]! - a.macro[index]!);
      return { budget, peer: best!.method, ...aboveOf(counted, best!.method, budget) };
    }),
  );
}

const show = (values: readonly number[]) =>
  values.map((value) => value.toFixed(3).replace(/^0/, '')).join(' / ');
const rows = rowsOf(cells);
const counts = named.map(
  (repository) =>
    cells.filter((cell) => cell.repository === repository && cell.method === 'galley').length /
    budgets.length,
);
console.log(
  `| lines kept at ${budgets.join(' / ')} | macro | ${named.map((name, index) => `${name} (${counts[index]})`).join(' | ')} |`,
);
console.log(`|---${'|---'.repeat(named.length + 1)}|`);
for (const { method, macro, byRepository } of rows)
  console.log(`| ${[method, show(macro), ...byRepository.map(show)].join(' | ')} |`);
const once = cells.filter(({ isTwin }) => !isTwin);
const above = leadsOf(cells);
const aboveOnce = leadsOf(once);
for (const [what, leads] of [
  ['all pull requests', above],
  [`${once.length / rows.length / budgets.length} without the same commits under a second number`, aboveOnce],
] as const) {
  console.log(`\n${what}:`);
  for (const { budget, peer, mean: gap, low, high } of leads)
    console.log(
      `At ${budget}: ${(100 * gap).toFixed(1)} points above "${peer}" (90 % interval ${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)}).`,
    );
}
console.log(`\n${refused} prompts had no room beside the rules of their project and count for nobody.`);
mkdirSync('bench/results/raw', { recursive: true });
writeFileSync('bench/results/raw/review-retention-cells.json', JSON.stringify(cells));
writeFileSync(
  'bench/results/review-retention.json',
  `${JSON.stringify({ budgets, repositories: named, counts, rows, above, aboveOnce }, undefined, 1)}\n`,
);
