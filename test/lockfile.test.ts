import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

interface Entry {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const text = readFileSync('package-lock.json', 'utf8');
const { packages } = JSON.parse(text) as { packages: Readonly<Record<string, Entry>> };

/** As the runtime looks for it: beside the package, then in every folder above. */
function isFound(from: string, name: string): boolean {
  if (`${from === '' ? '' : `${from}/`}node_modules/${name}` in packages) return true;
  if (from === '') return false;
  const above = from.lastIndexOf('/node_modules/');
  return isFound(above === -1 ? '' : from.slice(0, above), name);
}

describe('the lock file', () => {
  it('holds every package that another one asks for, those of other platforms too [D9]', () => {
    const missing = Object.entries(packages).flatMap(([at, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter((name) => !isFound(at, name))
        .map((name) => `${name} of ${at}`),
    );
    expect(missing).toEqual([]);
  });

  it('names no server [D9]', () => {
    expect(text).not.toContain('"resolved"');
  });

  it('is accepted by npm ci without asking anybody [D9]', () => {
    const folder = mkdtempSync(join(tmpdir(), 'galley-lock-'));
    try {
      for (const name of ['package.json', 'package-lock.json', '.npmrc'])
        copyFileSync(name, join(folder, name));
      const args = ['ci', '--dry-run', '--offline', '--ignore-scripts', '--silent'];
      execFileSync('npm', args, { cwd: folder, stdio: 'pipe', shell: process.platform === 'win32' });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
