// The picture in the README is drawn from what the command prints. UPDATE_DOCS=1 draws it anew.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
// @ts-expect-error a script, without types
import { makeDemoRepository } from '../../scripts/demo-repository.mjs';
// @ts-expect-error a script, without types
import { terminalPicture } from '../../scripts/terminal-picture.mjs';

const file = 'docs/terminal.svg';

it('the picture of the terminal shows what the command prints', () => {
  const folder = mkdtempSync(join(tmpdir(), 'galley-picture-'));
  try {
    makeDemoRepository(folder);
    const { NO_COLOR: _, LANG: __, LC_ALL: ___, ...rest } = process.env;
    const printed = execFileSync(process.execPath, [resolve('bin/galley.js'), 'review', '--base', 'main'], {
      cwd: folder,
      env: { ...rest, FORCE_COLOR: '1', COLUMNS: '100' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const picture = terminalPicture(`$ galley review\n${printed}`, { title: 'What galley review prints' });
    if (process.env.UPDATE_DOCS) writeFileSync(file, picture);
    expect(readFileSync(file, 'utf8')).toBe(picture);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
