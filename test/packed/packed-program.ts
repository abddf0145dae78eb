// The program as users get it: the tarball of `npm pack`, unpacked into an empty project that has the packages it declares and
// no others. Nothing of the checkout's sources or development packages can be found from there.
import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';

const checkout = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The project the package is installed in; its own files lie in `node_modules/galley`. */
export function packedProject(): string {
  const packing = inject('packingFolder');
  const project = join(packing, 'project');
  if (existsSync(project)) return project;
  const making = mkdtempSync(join(packing, 'making-'));
  const quiet = { cwd: checkout, stdio: 'pipe', shell: process.platform === 'win32' } as const;
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', making], quiet);
  const [tarball = ''] = readdirSync(making);
  const made = join(making, 'project');
  const modules = join(made, 'node_modules');
  mkdirSync(modules, { recursive: true });
  execFileSync('tar', ['-xzf', join(making, tarball), '-C', modules]);
  renameSync(join(modules, 'package'), join(modules, 'galley'));
  linkDeclared(modules);
  try {
    renameSync(made, project);
  } catch {
    // Another worker was quicker.
    if (!existsSync(project)) throw new Error('the packed program could not be put in place');
  }
  return project;
}

function linkDeclared(modules: string): void {
  const { dependencies } = JSON.parse(
    readFileSync(join(modules, 'galley', 'package.json'), 'utf8'),
  ) as Record<'dependencies', Record<string, string>>;
  for (const name of Object.keys(dependencies)) {
    const link = join(modules, name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(resolve(checkout, 'node_modules', name), link, 'junction');
  }
}

export interface PackedRun {
  readonly cwd: string;
  readonly input?: string;
  /** Another copy of the program. */
  readonly bin?: string;
  /** Added to an environment without any setting of Galley or git. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where standard output or standard error go instead of into the answer: file descriptors. */
  readonly stdout?: number;
  readonly stderr?: number;
}

export interface PackedAnswer {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function packedEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: '/nonexistent', LC_ALL: 'C', ...extra };
}

export function packedBin(): string {
  return join(packedProject(), 'node_modules', 'galley', 'bin', 'galley.js');
}

/** Starts it and gives the running process. */
export function startPacked(args: readonly string[], run: PackedRun) {
  return spawn(process.execPath, [run.bin ?? packedBin(), ...args], {
    cwd: run.cwd,
    env: packedEnvironment(run.env),
    stdio: ['pipe', run.stdout ?? 'pipe', run.stderr ?? 'pipe'],
  });
}

export async function runPacked(args: readonly string[], run: PackedRun): Promise<PackedAnswer> {
  const child = startPacked(args, run);
  const said = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (part: string) => {
    said.stdout += part;
  });
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    said.stderr += part;
  });
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(run.input ?? '');
  const exit = await new Promise<number | null>((done, failed) => {
    child.once('error', failed).once('close', done);
  });
  return { exit, ...said };
}
