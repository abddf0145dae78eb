// What the README shows of the command line is what it prints.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

it('shows galley agent as it speaks where Codex is installed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'galley-readme-'));
  try {
    writeFileSync(join(folder, 'codex'), '#!/bin/sh\nexit 9\n', { mode: 0o755 });
    const { stderr } = spawnSync(process.execPath, [resolve('bin/galley.js'), 'agent'], {
      cwd: folder,
      env: { PATH: folder, LC_ALL: 'C' },
      input: '',
      encoding: 'utf8',
    });
    expect(stderr).not.toBe('');
    expect(readFileSync('README.md', 'utf8')).toContain(`\`\`\`text\n${stderr}\`\`\`\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
