// Does code:find name the files a fix touched? Tasks are commits whose message says what was wrong, asked in the tree and the history
// before them; beside us BM25 over files, words of paths, and both by reciprocal ranks. The weights were chosen on the first list of
// repositories; the second was never looked at before it was measured.
import { execFileSync } from 'node:child_process';
import { findCode } from '../src/review/find/find-code.js';
import { findRequest } from '../src/review/find/find-request.js';
import { termsIn } from '../src/review/find/task-words.js';
import { isTestPath } from '../src/review/related/path-kinship.js';
import { gitDirectory } from './quality/repositories.js';

const chosenOn = 'hono express flask gin gson trpc zod svelte cli ripgrep fmt kysely nitro'.split(' ');
const heldOut = 'fastify httpx cobra sinatra serde-json mockito'.split(' ');
const perRepository = Number(process.argv[2] ?? 20);
const depths = [1, 5, 10];

interface Task {
  readonly base: string;
  readonly query: string;
  readonly gold: readonly string[];
}

const source = /\.(?:[cm]?[jt]sx?|go|py|java|rs|c|cc|cpp|h|hpp|svelte|vue|rb|php|cs|kt|swift|scala)$/;
const beside =
  /(?:^|\/)(?:tests?|__tests__|spec|testdata|fixtures?|samples|benchmarks?|bench|examples?|docs?)(?:\/|$)|[._-](?:test|spec)\.|_test\.|test_[^/]*\.py$|Test\.java$|\.d\.ts$/i;
const wrong =
  /\b(?:fix(?:es|ed)?|bug|crash|wrong|incorrect|regression|error|fail(?:s|ed|ing)?|leak|broken|should|panic)\b/i;
const other = /\b(?:typo|docs?|readme|lint|ci|deps?|tests?|bump|release|chore|typing|types?)\b/i;

const git = (directory: string, ...args: string[]) =>
  execFileSync('git', ['-C', directory, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });

function tasksOf(directory: string): Task[] {
  const format = '--format=%x01%P%x02%s%x02%b%x02';
  const log = git(directory, 'log', '--no-merges', '-n', '4000', format, '--name-status', 'HEAD');
  const tasks = log.split('\u0001').flatMap((record): Task[] => {
    const [base = '', subject = '', body = '', names = ''] = record.split('\u0002');
    if (base === '' || base.includes(' ') || !wrong.test(subject) || other.test(subject)) return [];
    const touched = names
      .trim()
      .split('\n')
      .map((line) => line.split('\t'));
    const isSource = (path = '') => source.test(path) && !beside.test(path);
    const gold = touched
      .filter(([kind, path]) => kind === 'M' && isSource(path))
      .map(([, path = '']) => path);
    const moved = touched.some(([kind, ...paths]) => kind !== 'M' && isSource(paths.at(-1)));
    if (gold.length < 1 || gold.length > 3 || moved || touched.length > 12) return [];
    const told = body.replace(/^(?:co-authored-by|signed-off-by|reviewed-by|pr-url|cc)\b.*$/gim, '').trim();
    const query = `${subject.replace(/^\w+(?:\([^)]*\))?!?:\s*/, '')}\n${told}`.trim().slice(0, 4_000);
    return query.length < 25 ? [] : [{ base, query, gold }];
  });
  const step = Math.max(1, Math.floor(tasks.length / perRepository));
  return tasks.filter((_, index) => index % step === 0).slice(0, perRepository);
}

type Ranking = readonly string[];

/** BM25 and path words over source files, as a plain tool would do it. */
function peersFor(directory: string, { base, query }: Task): Record<string, Ranking> {
  const entries = git(directory, 'ls-tree', '-r', base)
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/[\t ]/));
  const files = entries.flatMap(([, , blob = '', path = '']) =>
    source.test(path) && !beside.test(path) && !isTestPath(path) ? [{ path, blob }] : [],
  );
  const texts = readBlobs(
    directory,
    files.map(({ blob }) => blob),
  );
  const counts = texts.map((text) => {
    const times = new Map<string, number>();
    for (const term of termsIn(text.slice(0, 400_000))) times.set(term, (times.get(term) ?? 0) + 1);
    return times;
  });
  const lengths = counts.map((times) => [...times.values()].reduce((sum, count) => sum + count, 0));
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  const asked = new Set(termsIn(query));
  const bm25 = counts.map(() => 0);
  for (const term of asked) {
    const holding = counts.filter((times) => times.has(term)).length;
    const rare = Math.log(1 + (counts.length - holding + 0.5) / (holding + 0.5));
    counts.forEach((times, at) => {
      const count = times.get(term) ?? 0;
      bm25[at]! += (rare * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * lengths[at]!) / average));
    });
  }
  const words = files.map(({ path }) => new Set(termsIn(path.replace(/\.[^./]*$/, ''))));
  const path = words.map((own) =>
    [...own].reduce((sum, term) => {
      if (!asked.has(term)) return sum;
      return sum + Math.log(1 + files.length / words.filter((each) => each.has(term)).length);
    }, 0),
  );
  const places = (scores: readonly number[]) => {
    const order = [...scores.keys()].filter((at) => scores[at]! > 0).sort((a, b) => scores[b]! - scores[a]!);
    return new Map(order.map((at, place) => [at, place + 1]));
  };
  const [first, second] = [places(bm25), places(path)];
  const fused = files.map((_, at) => 1 / (60 + (first.get(at) ?? 1e9)) + 1 / (60 + (second.get(at) ?? 1e9)));
  const best = (scores: readonly number[]) =>
    [...scores.keys()]
      .filter((at) => scores[at]! > 1e-8)
      .sort((a, b) => scores[b]! - scores[a]!)
      .slice(0, 10)
      .map((at) => files[at]!.path);
  return { BM25: best(bm25), 'path words': best(path), 'RRF of both': best(fused) };
}

function readBlobs(directory: string, blobs: readonly string[]): string[] {
  const out = execFileSync('git', ['-C', directory, 'cat-file', '--batch'], {
    input: `${blobs.join('\n')}\n`,
    maxBuffer: 1 << 30,
  });
  let at = 0;
  return blobs.map(() => {
    const end = out.indexOf(10, at);
    const size = Number(out.toString('latin1', at, end).split(' ')[2] ?? 0) || 0;
    const text = out.toString('utf8', end + 1, end + 1 + size);
    at = end + 1 + size + (size > 0 || out[end + 1] === 10 ? 1 : 0);
    return text;
  });
}

const recall = (ranking: Ranking, gold: readonly string[]) =>
  depths.map((depth) => gold.filter((path) => ranking.slice(0, depth).includes(path)).length / gold.length);

type Scores = Record<string, number[]>;

async function measure(repository: string): Promise<Scores[] | undefined> {
  const directory = gitDirectory(repository);
  if (directory === undefined) return undefined;
  const rows: Scores[] = [];
  for (const task of tasksOf(directory)) {
    const request = findRequest.parse({ repo: directory, at: task.base, task: task.query, budget: 200 });
    const { files } = await findCode(request, { folder: '/' });
    const rankings = { ...peersFor(directory, task), 'code:find': files.map(({ path }) => path) };
    rows.push(
      Object.fromEntries(Object.entries(rankings).map(([name, list]) => [name, recall(list, task.gold)])),
    );
  }
  return rows.length === 0 ? undefined : rows;
}

/** Repositories are drawn, not tasks: what holds on one repository says little about the next. */
function interval(differences: readonly (readonly number[])[]): string {
  let state = 12_345;
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const draws = Array.from({ length: 1_000 }, () =>
    mean(differences.map(() => mean(differences[Math.floor(next() * differences.length)] ?? [0]))),
  ).sort((a, b) => a - b);
  const points = (value: number | undefined) => (100 * (value ?? 0)).toFixed(1);
  return `${points(mean(differences.map(mean)))} [${points(draws[25])}, ${points(draws[975])}]`;
}

for (const [title, repositories] of [
  ['weights chosen on these', chosenOn],
  ['never looked at before', heldOut],
] as const) {
  const measured: Scores[][] = [];
  for (const repository of repositories) {
    const rows = await measure(repository);
    if (rows !== undefined) measured.push(rows);
  }
  if (measured.length === 0) {
    console.log(
      `find-files: no copies of repositories found (${title}); name their folder in GALLEY_MIRRORS.`,
    );
    continue;
  }
  console.log(`\n${title}: ${measured.length} repositories, ${measured.flat().length} tasks\n`);
  console.log('| file recall @ | 1 | 5 | 10 |\n|---|---|---|---|');
  for (const name of Object.keys(measured[0]?.[0] ?? {})) {
    const cells = depths.map((_, k) => {
      const means = measured.map((rows) => rows.reduce((sum, row) => sum + row[name]![k]!, 0) / rows.length);
      return (means.reduce((sum, value) => sum + value, 0) / means.length).toFixed(3);
    });
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
  for (const peer of ['BM25', 'path words', 'RRF of both']) {
    const cells = depths.map((_, k) =>
      interval(measured.map((rows) => rows.map((row) => row['code:find']![k]! - row[peer]![k]!))),
    );
    console.log(`| points over ${peer} | ${cells.join(' | ')} |`);
  }
}
