// Reads trees, blobs and history from a bare repository; blobs come through one long-lived process.
import { spawn, spawnSync } from 'node:child_process';
import type { PastCommit } from '../../src/review/related/corpus.js';

export interface TreeEntry {
  readonly path: string;
  readonly blob: string;
}

export const codeEndings =
  'ts tsx mts cts js jsx mjs cjs py go svelte vue rs java kt rb php cs c h cc cpp hpp swift scala'.split(' ');
export const codeFile = new RegExp(`\\.(?:${codeEndings.join('|')})$`, 'u');
const largestBlob = 600_000;

export function git(directory: string, args: readonly string[]): string {
  const command = ['--git-dir', directory, '-c', 'core.quotePath=false', ...args];
  const { stdout } = spawnSync('git', command, { encoding: 'utf8', maxBuffer: 1 << 30 });
  // A copy may lack large blobs: git then stops, and what it said before stands.
  return stdout;
}

export function listTree(directory: string, commit: string): TreeEntry[] {
  const out: TreeEntry[] = [];
  for (const row of git(directory, ['ls-tree', '-r', '-z', '-l', commit]).split('\0')) {
    const tab = row.indexOf('\t');
    if (tab < 0) continue;
    const path = row.slice(tab + 1);
    const [mode, type, blob, size] = row.slice(0, tab).split(/\s+/u);
    if (type !== 'blob' || mode === '120000' || !codeFile.test(path) || Number(size) > largestBlob) continue;
    out.push({ path, blob: blob! });
  }
  return out;
}

/** Texts by object name as asked (`id` or `commit:path`); what is missing has no entry. */
export async function readNamed(directory: string, names: readonly string[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  if (names.length === 0) return texts;
  const child = spawn('git', ['--git-dir', directory, 'cat-file', '--batch', '--buffer'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.end(`${names.join('\n')}\n`);
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
  const all = Buffer.concat(chunks);
  let at = 0;
  for (const name of names) {
    const end = all.indexOf(10, at);
    const head = all.toString('utf8', at, end);
    at = end + 1;
    if (head.endsWith(' missing')) continue;
    const size = Number(head.slice(head.lastIndexOf(' ') + 1));
    texts.set(name, all.toString('utf8', at, at + size));
    at += size + 1;
  }
  return texts;
}

/** Commits without merges, newest first, with the paths they touched. */
export function readLog(directory: string, args: readonly string[]): PastCommit[] {
  const text = git(directory, [
    'log',
    '--no-merges',
    '--no-renames',
    '--name-only',
    '-z',
    '--format=%x01%ct',
    ...args,
  ]);
  return text
    .split('\u0001')
    .slice(1)
    .map((entry) => {
      const [time, ...paths] = entry.split(/[\0\n]+/u).filter((part) => part !== '');
      return { time: Number(time), paths: paths.toSorted() };
    });
}
