// Questions about whole files: from the most changed file of a commit, which others changed with it?
import { createHash } from 'node:crypto';
import { outline } from '../../src/code/outline.js';
import { type Corpus, type FileSheet, makeSheet } from '../../src/review/related/corpus.js';
import { identifiersOf, type Lexicon, makeLexicon, wordId } from '../../src/review/related/lexicon.js';
import { codeEndings, codeFile, git, listTree, readLog, readNamed } from './git-reader.js';
import { cached } from './load-instances.js';

interface CommitRow {
  readonly commit: string;
  readonly parent: string;
  readonly seed: string;
  readonly others: readonly string[];
}

export interface RelatedInstance extends CommitRow {
  readonly corpus: Corpus;
  readonly lexicon: Lexicon;
}

const looked = 3000;
const fewestOthers = 1;
const mostOthers = 14;

/** Evenly spread commits of the main line that modify a few code files. */
function pickCommits(directory: string, count: number): CommitRow[] {
  const text = git(directory, [
    'log',
    '--no-merges',
    '--no-renames',
    '--diff-filter=M',
    '--numstat',
    `--format=%x01%H %P`,
    '-n',
    String(looked),
    'HEAD',
    '--',
    ...codeEndings.map((ending) => `*.${ending}`),
  ]);
  const rows: CommitRow[] = [];
  for (const entry of text.split('\u0001').slice(1)) {
    const [head, ...lines] = entry.trim().split('\n');
    const [commit, parent] = head!.split(' ');
    if (parent === undefined) continue;
    const files = lines
      .map((line) => line.split('\t'))
      .filter((parts) => parts.length === 3 && codeFile.test(parts[2]!))
      .map(([added, removed, path]) => ({ path: path!, size: Number(added) + Number(removed) }))
      .toSorted((a, b) => b.size - a.size || (a.path < b.path ? -1 : 1));
    if (files.length - 1 < fewestOthers || files.length - 1 > mostOthers) continue;
    const [seed, ...others] = files.map((file) => file.path);
    rows.push({ commit: commit!, parent, seed: seed!, others });
  }
  const stride = Math.max(1, rows.length / count);
  return Array.from(
    { length: Math.min(count, rows.length) },
    (_, index) => rows[Math.floor(index * stride)]!,
  );
}

export async function visitRelated(
  directory: string,
  count: number,
  visit: (instance: RelatedInstance) => Promise<void>,
): Promise<number> {
  const rows = cached(`related1:${directory}:${count}`, () => pickCommits(directory, count));
  const lexicon = makeLexicon();
  const counts = new Map<string, Map<number, number>>();
  for (const row of rows) {
    const tree = cached(`tree1:${row.parent}`, () => listTree(directory, row.parent));
    const missing = tree.filter((entry) => !counts.has(entry.blob)).map((entry) => entry.blob);
    for (const [blob, text] of await readNamed(directory, missing)) {
      const found = new Map<number, number>();
      for (const word of identifiersOf(text)) {
        const id = wordId(lexicon, word);
        found.set(id, (found.get(id) ?? 0) + 1);
      }
      counts.set(blob, found);
    }
    const key = createHash('sha1').update(row.seed).digest('hex');
    const history = cached(`related-history1:${row.parent}:${key}`, () =>
      readLog(directory, ['-n', '400', '--full-diff', row.parent, '--', `:(literal)${row.seed}`]),
    );
    const blobOf = new Map(tree.map((entry) => [entry.path, entry.blob]));
    const corpus: Corpus = {
      paths: async () => tree.map((entry) => entry.path),
      sizeOf: () => 0,
      async grep(words) {
        const out = new Map<string, Map<string, number>>(words.map((word) => [word, new Map()]));
        const ids = words.map((word) => [word, lexicon.ids.get(word)] as const);
        for (const entry of tree) {
          const found = counts.get(entry.blob);
          if (found === undefined) continue;
          for (const [word, id] of ids) {
            const times = id === undefined ? undefined : found.get(id);
            if (times !== undefined) out.get(word)!.set(entry.path, times);
          }
        }
        return out;
      },
      async sheets(paths) {
        const out = new Map<string, FileSheet>();
        const wanted = paths.filter((path) => blobOf.has(path));
        const texts = await readNamed(
          directory,
          wanted.map((path) => blobOf.get(path)!),
        );
        for (const path of wanted) {
          const text = texts.get(blobOf.get(path)!);
          if (text === undefined) continue;
          const { symbols, imports } = await outline(path, text);
          out.set(path, makeSheet(text, { symbols, imports: imports.map((one) => one.module) }, lexicon));
        }
        return out;
      },
      history: async () => history,
    };
    await visit({ ...row, corpus, lexicon });
  }
  return rows.length;
}
