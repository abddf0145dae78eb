// What an install brings: few packages, few megabytes, and in them every grammar and vocabulary we read.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grammarPins } from '../../src/code/grammar.js';
import { type ScratchRepository, scratchRepository } from '../../src/git/testing/scratch-repository.js';
import { packedBin, packedProject, runPacked } from './packed-program.js';

interface LockEntry {
  readonly dev?: boolean;
}

const megabyte = 1024 * 1024;
const block = 4096;

/** As the disk counts it, in whole blocks; packages inside count for themselves. */
function weightOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .reduce((sum, entry) => {
      const path = join(folder, entry.name);
      const own = entry.isDirectory() ? weightOf(path) : Math.ceil(statSync(path).size / block) * block;
      return sum + own;
    }, block);
}

describe('an install of the packed program', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Readonly<Record<string, LockEntry>>;
  };
  const installed = Object.entries(packages)
    .filter(([at, { dev }]) => at !== '' && dev !== true && existsSync(at))
    .map(([at]) => at);

  it('is at most 50 packages and 95 MB, every grammar and PostgreSQL included [D7]', () => {
    const galley = join(packedProject(), 'node_modules', 'galley');
    const weights = [galley, ...installed].map((folder) => weightOf(folder) / megabyte);
    expect(installed.length).toBeGreaterThan(15);
    expect(weights.length).toBeLessThanOrEqual(50);
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeLessThanOrEqual(95);
  });

  it('holds the supported grammars, one copy of each vocabulary, and says whose they are [D7]', () => {
    const dist = join(packedProject(), 'node_modules', 'galley', 'dist');
    const folders = Object.values(grammarPins).map(({ folder }) => folder);
    expect(readdirSync(join(dist, 'grammars')).sort()).toEqual(
      folders.map((folder) => `${folder}.wasm.br`).sort(),
    );
    expect(readdirSync(join(dist, 'vocabularies')).sort()).toEqual(['cl100k_base.json', 'o200k_base.json']);
    const licences = readFileSync(join(dist, 'licences.txt'), 'utf8');
    for (const name of [...folders, 'tiktoken'])
      expect(licences).toMatch(new RegExp(`^${name} +Copyright`, 'm'));
  });
});

describe('grammars and vocabularies of the packed program', () => {
  /** A function in each language that has a grammar, laid out so that indentation does not show where it ends. */
  const functions: Readonly<Record<string, string>> = {
    'a.sh': 'work() {\nx=1\ny=one\n}',
    'a.c': 'int work(void) {\nint x = 1;\nreturn one;\n}',
    'a.cpp': 'int work() {\nint x = 1;\nreturn one;\n}',
    'a.cs': 'int Work() {\nint x = 1;\nreturn one;\n}',
    'a.go': 'func work() int {\nx := 1\nreturn one\n}',
    'A.java': 'int work() {\nint x = 1;\nreturn one;\n}',
    'a.js': 'function work() {\nconst x = 1;\nreturn one;\n}',
    'a.kt': 'fun work(): Int {\nval x = 1\nreturn one\n}',
    'a.php': 'function work() {\n$x = 1;\nreturn one;\n}',
    'a.py': 'def work():\n    x = """\nflat\n"""\n    return one',
    'a.rb': 'def work\nx = 1\none\nend',
    'a.rs': 'fn work() -> i32 {\nlet x = 1;\none\n}',
    'a.scala': 'def work(): Int = {\nval x = 1\none\n}',
    'a.swift': 'func work() -> Int {\nlet x = 1\nreturn one\n}',
    'a.tsx': 'function Work() {\nconst x = 1;\nreturn <p>{one}</p>;\n}',
    'a.ts': 'function work(): number {\nconst x = 1;\nreturn one;\n}',
  };
  const around: Readonly<Record<string, readonly [before: string, after: string]>> = {
    'a.cs': ['class A {\n', '}\n'],
    'a.go': ['package a\n', ''],
    'A.java': ['class A {\n', '}\n'],
    'a.php': ['<?php\n', ''],
    'a.scala': ['object A {\n', '}\n'],
  };
  const changed = (text: string): string => text.replace(/\bone\b/, 'two');
  let repository: ScratchRepository;
  let scratch: string;

  beforeAll(() => {
    scratch = mkdtempSync(join(tmpdir(), 'galley-install-'));
    repository = scratchRepository();
    const files = Object.entries(functions).map(([name, text]) => {
      const [before, after] = around[name] ?? ['', ''];
      return [name, `${before}${text}\n${after}`] as const;
    });
    for (const [name, text] of files) repository.write(name, text);
    repository.commit('start');
    for (const [name, text] of files) repository.write(name, changed(text));
  });
  afterAll(() => {
    repository?.dispose();
    rmSync(scratch, { recursive: true, force: true });
  });

  /** The files whose changed function the answer shows from its first line to its last. */
  async function filesWithWholeFunction(bin = packedBin()): Promise<string[]> {
    const input = JSON.stringify({ mode: 'working', meter: 'o200k_base' });
    const { stdout } = await runPacked(['call', 'review:bundles'], { cwd: repository.folder, input, bin });
    const { bundles, receipt } = JSON.parse(stdout) as {
      bundles: { meta: { file_path: string }; function_context: string | null }[];
      receipt: { meter: object };
    };
    expect(receipt.meter).toEqual({ id: 'o200k_base', exact: true });
    return bundles
      .filter(({ meta, function_context }) => function_context === changed(functions[meta.file_path]!))
      .map(({ meta }) => meta.file_path);
  }

  it('are found and used, one for each language [D7] [shipped.same]', async () => {
    expect(Object.keys(functions)).toHaveLength(Object.keys(grammarPins).length);
    expect((await filesWithWholeFunction()).sort()).toEqual(Object.keys(functions).sort());
  });

  it('are the only ones: without them outlines follow indentation [D7]', async () => {
    const modules = join(packedProject(), 'node_modules');
    const copy = join(scratch, 'node_modules');
    cpSync(modules, copy, { recursive: true, verbatimSymlinks: true });
    rmSync(join(copy, 'galley', 'dist', 'grammars'), { recursive: true });
    expect(await filesWithWholeFunction(packedBin().replace(modules, copy))).toEqual([]);
  });
});
