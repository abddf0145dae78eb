import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findAgentCli } from './find-agent-cli.js';

const root = mkdtempSync(join(tmpdir(), 'galley-find-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const folder = (name: string) => {
  const path = join(root, name);
  mkdirSync(path);
  return path;
};
const install = (path: string, mode = 0o755) => {
  writeFileSync(path, '#!/bin/sh\n');
  chmodSync(path, mode);
  return path;
};

describe('finding an agent CLI', () => {
  const [plain, good, odd] = [folder('plain'), folder('good'), folder('odd')];
  install(join(plain, 'claude'), 0o644);
  mkdirSync(join(odd, 'claude'));
  const claude = install(join(good, 'claude'));

  it('takes the first executable file on the PATH and no relative entry', async () => {
    const path = ['', '.', relative(process.cwd(), good), plain, odd, good].join(delimiter);
    expect(await findAgentCli('claude', { environment: { PATH: path } })).toBe(claude);
    const onlyRelative = { PATH: ['.', relative(process.cwd(), good)].join(delimiter) };
    await expect(findAgentCli('claude', { environment: onlyRelative })).rejects.toMatchObject({
      code: 'MODEL_NOT_CONFIGURED',
    });
  });

  it('prefers what is configured, and says so when that cannot be run', async () => {
    const other = install(join(odd, 'other'));
    const environment = { PATH: good, GALLEY_CLAUDE: other };
    expect(await findAgentCli('claude', { environment })).toBe(other);
    expect(await findAgentCli('claude', { environment, path: claude })).toBe(claude);
    const broken = findAgentCli('claude', {
      environment: { PATH: good, GALLEY_CLAUDE: join(plain, 'claude') },
    });
    await expect(broken).rejects.toMatchObject({
      code: 'MODEL_NOT_CONFIGURED',
      details: { reason: 'configured' },
    });
  });

  it('says how to install one that is missing [agent.run]', async () => {
    for (const name of ['claude', 'codex', 'gemini'] as const) {
      await expect(findAgentCli(name, { environment: { PATH: plain } })).rejects.toMatchObject({
        code: 'MODEL_NOT_CONFIGURED',
        message: expect.stringContaining('npm install -g'),
      });
    }
  });
});
