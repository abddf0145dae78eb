// Promise: an ordinary pull request (20 files, 600 lines) in a repository of 5,000 files is planned and set on pages by a cold
// process within twice the time of a bare script that starts Node, loads the same tokenizer and grammars, runs git diff, counts
// the patch and parses both sides of the same files. The context around the change, searched for in all 5,000 files, costs at most
// half as much again. Needs the built command line (npm run setup).
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { loadGrammar } from '../src/code/grammar.js';
import { languageOf } from '../src/code/language.js';
import { withTree } from '../src/code/outline-by-tree.js';
import { loadMeter } from '../src/meters/load-meter.js';
import { quantile, report } from './peers/report.js';

const wantedFiles = 5000;
const changedFiles = 20;
const linesPerFile = 15;
const rounds = Number(process.env.ROUNDS ?? 7);
const command = resolve('bin', 'galley.js');

/** This project's own sources, as often as it takes. */
function makeRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), 'galley-cold-'));
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  );
  const texts = new Map(sources.map((path) => [path, readFileSync(join('src', path), 'utf8')]));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com', ...args], {
      cwd: folder,
      stdio: 'ignore',
    });
  git('init', '-q', '.');
  const copies = Math.ceil(wantedFiles / sources.length);
  for (let copy = 0; copy < copies; copy += 1)
    for (const [path, text] of texts) {
      const place = join(folder, `package-${copy}`, path);
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, `export const edition = ${copy};\n${text}`);
    }
  git('add', '-A');
  git('commit', '-q', '-m', 'before');
  const long = sources.filter((path) => texts.get(path)!.split('\n').length > linesPerFile * 5);
  const step = Math.floor(long.length / changedFiles);
  for (let file = 0; file < changedFiles; file += 1) {
    const place = join(folder, `package-${file % copies}`, long[file * step]!);
    const lines = readFileSync(place, 'utf8').split('\n');
    const every = Math.floor(lines.length / linesPerFile);
    for (let line = 0; line < linesPerFile; line += 1) lines[line * every] += ` // edited ${line}`;
    writeFileSync(place, lines.join('\n'));
  }
  git('commit', '-qam', 'after');
  git('repack', '-adq');
  return folder;
}

/** What any tool of this kind has to do, and nothing else. */
async function bare(folder: string): Promise<void> {
  const git = (args: readonly string[], input = '') =>
    execFileSync('git', args, { cwd: folder, input, encoding: 'latin1', maxBuffer: 1 << 28 });
  const meter = await loadMeter('o200k_base');
  const patch = git(['diff', '--no-color', '--no-ext-diff', '--diff-algorithm=histogram', 'HEAD~1', 'HEAD']);
  let weight = meter.weigh(patch);
  const paths = [...patch.matchAll(/^\+\+\+ b\/(.*)$/gm)].map(([, path = '']) => path);
  const names = paths.flatMap((path) => [`HEAD~1:${path}`, `HEAD:${path}`]);
  const objects = git(['cat-file', '--batch'], names.map((name) => `${name}\n`).join(''));
  let from = 0;
  for (const name of names) {
    const line = objects.indexOf('\n', from);
    const end = line + 1 + Number(objects.slice(from, line).split(' ')[2]);
    const text = objects.slice(line + 1, end);
    from = end + 1;
    const grammar = await loadGrammar(languageOf(name));
    if (grammar?.kind !== 'ready') continue;
    const source = { text, grammar: grammar.grammar, budget: { steps: 1e9, milliseconds: 1e4 } };
    weight += (await withTree(source, (root) => root.endIndex)) ?? 0;
  }
  process.stdout.write(String(weight));
}

function timed(args: readonly string[], cwd: string): { time: number; output: string } {
  const started = process.hrtime.bigint();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr);
  return { time: Number(process.hrtime.bigint() - started) / 1e6, output: stdout };
}

function main(): void {
  if (!existsSync('dist/cli.js')) {
    console.error('review-cold: build the command line first (npm run setup).');
    return;
  }
  const folder = makeRepository();
  try {
    const self = process.argv[1] ?? '';
    const runs: Record<string, { args: string[]; times: number[] }> = {
      bare: { args: [self, 'bare', folder], times: [] },
      plain: { args: [command, 'review', '--base', 'HEAD~1', '--context', 'none'], times: [] },
      table: { args: [command, 'review', '--base', 'HEAD~1'], times: [] },
      json: { args: [command, 'review', '--base', 'HEAD~1', '--context', 'none', '--json'], times: [] },
    };
    for (let round = 0; round <= rounds; round += 1)
      for (const run of Object.values(runs)) {
        const { time } = timed(run.args, folder);
        // The first round warms the disk.
        if (round > 0) run.times.push(time);
      }
    const of = (name: string) => quantile(runs[name]!.times, 0.5);
    const stat = execFileSync('git', ['diff', '--shortstat', 'HEAD~1'], {
      cwd: folder,
      encoding: 'utf8',
    }).trim();
    const row = (name: string, promise: string) => ({
      promise,
      bar: 'within 2× of the bare script, < 1.5 s',
      measured: `${(of(name) / of('bare')).toFixed(2)}×, ${Math.round(of(name))} ms against ${Math.round(of('bare'))} ms`,
      reached: of(name) <= 2 * of('bare') && of(name) < 1500,
    });
    report(
      'review-cold',
      [
        row('plain', 'cold process to pages and plan'),
        row('json', 'cold process to pages as JSON'),
        {
          promise: 'the same with context',
          bar: 'within 1.5× of the same without',
          measured: `${(of('table') / of('plain')).toFixed(2)}×, ${Math.round(of('table'))} ms against ${Math.round(of('plain'))} ms`,
          reached: of('table') <= 1.5 * of('plain'),
        },
      ],
      {
        change: stat,
      },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[2] === 'bare') await bare(process.argv[3] ?? '.');
else main();
