// A throw-away repository made with real git, for tests: isolated from the machine's own git config.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface ScratchRepository {
  readonly folder: string;
  /** Runs git and gives its output as text. */
  git(...args: string[]): string;
  raw(args: readonly string[], options?: { input?: Buffer | string; cwd?: string }): Buffer;
  write(path: string, content: string | Buffer): void;
  link(path: string, target: string): void;
  executable(path: string, on: boolean): void;
  remove(path: string): void;
  commit(message: string): string;
  dispose(): void;
}

const environment = {
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  LC_ALL: 'C',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_AUTHOR_DATE: '2024-05-06T07:08:09+02:00',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
  GIT_COMMITTER_DATE: '2024-05-06T07:08:09+02:00',
  GIT_ALLOW_PROTOCOL: 'file',
};

const commitAll = 'git add -A && git commit -q --allow-empty -m "$1" && git rev-parse HEAD';

export function scratchFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'galley-test-')));
}

export function scratchRepository(
  options: { objectFormat?: 'sha1' | 'sha256'; folder?: string } = {},
): ScratchRepository {
  const folder = options.folder ?? scratchFolder();
  mkdirSync(folder, { recursive: true });
  const repository = inFolder(folder);
  repository.git('init', '-q', '-b', 'main', `--object-format=${options.objectFormat ?? 'sha1'}`, '.');
  return repository;
}

export function inFolder(folder: string): ScratchRepository {
  const raw: ScratchRepository['raw'] = (args, { input, cwd } = {}) =>
    execFileSync('git', [...args], {
      cwd: cwd ?? folder,
      env: environment,
      input: input ?? '',
      maxBuffer: 1 << 30,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  const place = (path: string) => {
    const full = join(folder, path);
    mkdirSync(dirname(full), { recursive: true });
    return full;
  };
  return {
    folder,
    raw,
    git: (...args) => raw(args).toString('utf8').trimEnd(),
    write: (path, content) => writeFileSync(place(path), content),
    link: (path, target) => symlinkSync(target, place(path)),
    executable: (path, on) => chmodSync(join(folder, path), on ? 0o755 : 0o644),
    remove: (path) => rmSync(join(folder, path), { recursive: true, force: true }),
    // One process of ours for three of git: a test run is large, and starting another process from it is slow.
    commit: (message) =>
      execFileSync('sh', ['-c', commitAll, 'sh', message], { cwd: folder, env: environment, stdio: 'pipe' })
        .toString('utf8')
        .trim(),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
