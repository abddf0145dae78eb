// How long does code:find take, in a working tree of several thousand source files? Cold: the first question of a process. Warm: other
// questions in the same process, as in a server; and after one file was changed.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gitDirectory } from './quality/repositories.js';

// One repository a run, since only a new process is cold; terraform has 5,500 files, django 7,100, svelte 9,100.
const name = process.argv[2] ?? 'django';
const source = gitDirectory(name);
if (source === undefined) {
  console.log(`find-time: no copy of ${name} found; name its folder in GALLEY_MIRRORS.`);
  process.exit(0);
}

/** What was wrong, in the words of those who mended it. */
function questionsOf(folder: string): string[] {
  const log = execFileSync('git', ['-C', folder, 'log', '-500', '--no-merges', '--format=%s'], {
    encoding: 'utf8',
  });
  return log
    .split('\n')
    .filter((subject) => /\bfix/iu.test(subject) && subject.split(' ').length >= 5)
    .slice(0, 5);
}

/** A text file of source that can be changed. */
function someFile(folder: string): string {
  const listed = execFileSync('git', ['-C', folder, 'ls-files', '*.ts', '*.js', '*.py', '*.go'], {
    encoding: 'utf8',
  });
  return listed.split('\n')[0]!;
}

const folder = mkdtempSync(join(tmpdir(), 'galley-find-time-'));
try {
  execFileSync('git', ['clone', '-q', '--shared', source, folder]);
  // Of files written in the same second as the index git reads the contents at every look; whoever works there has long had an index
  // that is younger than the files.
  await setTimeout(1100);
  execFileSync('git', ['-C', folder, 'status', '--porcelain'], { stdio: 'ignore' });
  const questions = questionsOf(folder);
  const edited = join(folder, someFile(folder));
  console.log(`${name}, load ${loadavg()[0]?.toFixed(1)}`);
  const times = new Map<string, number[]>();
  const note = (kind: string, time: number) => times.set(kind, [...(times.get(kind) ?? []), time]);
  const ask = async (kind: string, task: string, more: object = {}) => {
    const from = performance.now();
    const spent = process.cpuUsage();
    const [{ findCode }, { findRequest }] = await Promise.all([
      import('../src/review/find/find-code.js'),
      import('../src/review/find/find-request.js'),
    ]);
    const { files } = await findCode(findRequest.parse({ query: task, ...more }), { folder });
    note(kind, performance.now() - from);
    const { user, system } = process.cpuUsage(spent);
    note(`${kind}, processor time of this process`, (user + system) / 1000);
    return files.length;
  };
  await ask('cold', questions[0]!);
  for (let round = 0; round < 4; round += 1)
    for (const question of questions) {
      await ask('warm', question);
      await ask('warm, at HEAD', question, { at: 'HEAD' });
    }
  for (const question of questions) {
    appendFileSync(edited, '\n');
    await ask('after an edit', question);
  }
  for (const [kind, list] of times) {
    const ordered = list.toSorted((a, b) => a - b);
    const at = (share: number) => ordered[Math.min(ordered.length - 1, Math.floor(share * ordered.length))];
    console.log(`${kind}: p50 ${at(0.5)?.toFixed(0)} ms, p95 ${at(0.95)?.toFixed(0)} ms (${list.length})`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
