// Plain searches over the same files: BM25 over their words, words of their paths, and both by reciprocal ranks. They see source files
// only, no tests and no examples, and split and stem words as we do: a fair and strong peer.
import { listTree, type TreeFile } from '../../src/git/objects/tree-files.js';
import type { Repository } from '../../src/git/repository/open-repository.js';
import { hashTerm } from '../../src/review/find/hash-terms.js';
import { termsIn } from '../../src/review/find/task-words.js';
import { countTree, type FileWords, placeOf } from '../../src/review/find/tree-words.js';
import { isTestPath } from '../../src/review/related/path-kinship.js';
import { beside, source, type Task } from './tasks.js';

export type Ranking = readonly string[];

const depth = 10;
const maxBytes = 600_000;

/** What peers see. */
export async function sourceFiles(repository: Repository, { base }: Task): Promise<TreeFile[]> {
  return (await listTree(repository, base)).filter(
    ({ path, size = 0 }) =>
      source.test(path) && !beside.test(path) && !isTestPath(path) && size <= maxBytes && size > 0,
  );
}

export async function rankByPeers(repository: Repository, task: Task): Promise<Record<string, Ranking>> {
  const files = await sourceFiles(repository, task);
  const counted = await countTree(
    repository,
    files.map(({ blob }) => blob),
    undefined,
  );
  const asked = new Set(termsIn(task.query));
  const bm25 = byWords(
    files.map(({ blob }) => counted.get(blob)!),
    asked,
  );
  const words = files.map(({ path }) => new Set(termsIn(path.replace(/\.[^./]*$/, ''))));
  const holding = new Map<string, number>();
  for (const own of words) for (const term of own) holding.set(term, (holding.get(term) ?? 0) + 1);
  const path = words.map((own) =>
    [...own].reduce(
      (sum, term) => (asked.has(term) ? sum + Math.log(1 + files.length / holding.get(term)!) : sum),
      0,
    ),
  );
  const [first, second] = [placesOf(bm25), placesOf(path)];
  const fused = files.map((_, at) => 1 / (60 + (first.get(at) ?? 1e9)) + 1 / (60 + (second.get(at) ?? 1e9)));
  const best = (scores: readonly number[]) =>
    [...placesOf(scores).keys()].slice(0, depth).map((at) => files[at]!.path);
  return { BM25: best(bm25), 'path words': best(path), 'RRF of both': best(fused) };
}

function byWords(files: readonly FileWords[], asked: ReadonlySet<string>): number[] {
  const average = files.reduce((sum, { length }) => sum + length, 0) / Math.max(1, files.length);
  const scores = files.map(() => 0);
  for (const term of asked) {
    const id = hashTerm(term);
    const counts = files.map(({ terms, times }) => times[placeOf(terms, id)] ?? 0);
    const holding = counts.filter((count) => count > 0).length;
    const rare = Math.log(1 + (files.length - holding + 0.5) / (holding + 0.5));
    counts.forEach((count, at) => {
      scores[at]! += (rare * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * files[at]!.length) / average));
    });
  }
  return scores;
}

/** Of those that anything speaks for, best first. */
function placesOf(scores: readonly number[]): Map<number, number> {
  const order = [...scores.keys()].filter((at) => scores[at]! > 1e-8);
  order.sort((a, b) => scores[b]! - scores[a]!);
  return new Map(order.map((at, place) => [at, place + 1]));
}
