// The parts of the action by themselves: where it keeps things, and how it comes by its program.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scratchFolder } from '../../src/git/testing/scratch-repository.js';
import { packedProject } from '../packed/packed-program.js';
import { isNightly } from '../sweep-size.js';

let folder: string;
beforeEach(() => {
  folder = scratchFolder();
  mkdirSync(join(folder, 'galley'));
  cpSync('action', join(folder, 'galley', 'action'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('where a run keeps things', () => {
  const repository = { id: 1 };
  const head = (id: number, ref: string) => ({ pull_request: { head: { ref, repo: { id } } }, repository });
  const ran = (id: number, branch: string, event = 'pull_request') => ({
    workflow_run: { event, head_branch: branch, head_repository: { id } },
    repository,
  });

  function place(name: string, event: object, hasKey = true): Record<string, string> {
    const path = join(folder, 'event.json');
    writeFileSync(path, JSON.stringify(event));
    const text = execFileSync(process.execPath, [join(folder, 'galley', 'action', 'place.mjs')], {
      encoding: 'utf8',
      env: {
        RUNNER_TEMP: folder,
        GITHUB_RUN_ID: '7',
        GITHUB_RUN_ATTEMPT: '1',
        GITHUB_EVENT_NAME: name,
        GITHUB_EVENT_PATH: path,
        HAS_KEY: String(hasKey),
      },
    });
    return Object.fromEntries(
      text
        .trim()
        .split('\n')
        .map((line) => line.split('=', 2) as [string, string]),
    );
  }

  it.each<[string, string, object, boolean, boolean]>([
    ['what ran for a pull request, of a fork too', 'workflow_run', ran(2, 'topic'), true, true],
    ['a pull request of the repository itself', 'pull_request', head(1, 'topic'), true, true],
    [
      'a pull request of a fork, even where hosts are told to give it secrets',
      'pull_request',
      head(2, 'topic'),
      true,
      false,
    ],
    ['what ran for a push', 'workflow_run', ran(1, 'main', 'push'), true, false],
    ['an event of another kind', 'issue_comment', { issue: {}, repository }, true, false],
    ['a run without a key', 'workflow_run', ran(1, 'topic'), false, false],
  ])('%s', (_, name, event, hasKey, keeps) => {
    expect(place(name, event, hasKey).keeps).toBe(String(keeps));
  });

  it('is a name of its own for every branch, which every cache takes', () => {
    const places = [ran(1, 'a'), ran(1, 'a-b'), ran(2, 'a'), ran(2, 'x,y\n"$(z)`'), ran(1, 'x'.repeat(900))];
    const found = places.map((event) => place('workflow_run', event));
    expect(new Set(found.map((each) => each['answers-prefix'])).size).toBe(places.length);
    for (const each of found) {
      expect(each['answers-key']).toMatch(/^galley-answers-[0-9a-f]{20}-7-1$/);
      expect(each['answers-key']!.startsWith(each['answers-prefix']!)).toBe(true);
    }
  });

  it('names the program by everything it is built from', () => {
    const first = place('workflow_run', ran(1, 'a'))['program-key'];
    expect(first).toMatch(/^galley-program-\w+-\w+-node\d+-[0-9a-f]{40}$/);
    mkdirSync(join(folder, 'galley', 'dist'));
    writeFileSync(join(folder, 'galley', 'dist', 'cli.js'), 'made');
    expect(place('workflow_run', ran(1, 'a'))['program-key']).toBe(first);
    writeFileSync(join(folder, 'galley', 'package-lock.json'), '{}');
    expect(place('workflow_run', ran(1, 'a'))['program-key']).not.toBe(first);
  });
});

describe('the program', () => {
  const galley = join(packedProject(), 'node_modules', 'galley');
  const runs = (program: string) =>
    execFileSync(process.execPath, [join(program, 'bin', 'galley.js'), '--version'], {
      encoding: 'utf8',
    }).trim();
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

  /** Packages and the build are there already; packing is npm's own. */
  function npmAtHand(): string {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    const npm = execFileSync('bash', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
    const script = `#!/usr/bin/env bash
set -e
echo "npm $*" >> '${folder}/calls'
case "$1" in
  ci) ln -s '${dirname(galley)}' node_modules ;;
  run) cp -R '${join(galley, 'dist')}' dist ;;
  *) exec '${npm}' "$@" ;;
esac
`;
    writeFileSync(join(bin, 'npm'), script, { mode: 0o755 });
    return bin;
  }

  it('is the revision of the action, built, packed and unpacked with the packages of its lock file', () => {
    const source = join(folder, 'galley');
    for (const name of ['package.json', 'package-lock.json', '.npmrc', 'bin', 'README.md', 'LICENSE'])
      cpSync(name, join(source, name), { recursive: true });
    writeFileSync(join(source, 'not-shipped.txt'), 'x');
    const program = join(folder, 'program');
    const env = { ...process.env, PATH: `${npmAtHand()}:${process.env.PATH}` };
    const before = readdirSync(source);
    execFileSync('bash', [join(source, 'action', 'install.sh'), program], { env, stdio: 'pipe' });
    expect(runs(program)).toBe(version);
    expect(readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n')).toEqual([
      'npm ci --ignore-scripts --loglevel=error',
      'npm run --silent build',
      expect.stringMatching(/^npm pack --silent --ignore-scripts --pack-destination /),
      'npm ci --ignore-scripts --omit=dev --loglevel=error',
    ]);
    expect(existsSync(join(program, 'not-shipped.txt'))).toBe(false);
    expect(readFileSync(join(program, 'package-lock.json'))).toEqual(readFileSync('package-lock.json'));
    // The folder of the action is as it was: other jobs of the machine use it, too.
    expect(readdirSync(source)).toEqual(before);
  });

  it.runIf(isNightly)('is built from the checkout with real packages', () => {
    const program = join(folder, 'program');
    execFileSync('bash', [resolve('action/install.sh'), program], { stdio: 'pipe' });
    expect(runs(program)).toBe(version);
  });
});
