import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openForge } from '../testing/forge/open-forge.js';
import { findForge } from './find-forge.js';
import type { ForgeKind } from './forge.js';

const find = (environment: NodeJS.ProcessEnv, more: { asked?: string; remotes?: readonly string[] } = {}) =>
  findForge({
    environment,
    remotes: async () => more.remotes ?? [],
    keptToken: async () => undefined,
    ...(more.asked === undefined ? {} : { asked: more.asked }),
  });

describe('the environment of CI', () => {
  it.each<ForgeKind>(['github', 'gitlab', 'gitea'])(
    'names the host, the repository and the token: %s',
    async (kind) => {
      const forge = await openForge({ kind, repository: 'acme/widgets' });
      const found = await find(forge.env);
      expect([found.forge.kind, found.forge.repository]).toEqual([kind, 'acme/widgets']);
      expect(found.forge.git.url).toBe(`${forge.url}/acme/widgets.git`);
      expect((await find(forge.env, { asked: '#7' })).number).toBe(7);
      await forge.close();
    },
  );

  it('names the merge request', async () => {
    const forge = await openForge({ kind: 'gitlab', repository: 'acme/deep/widgets' });
    expect((await find({ ...forge.env, CI_MERGE_REQUEST_IID: '12' })).number).toBe(12);
    await forge.close();
  });
});

describe('the event of a workflow', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'galley-event-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const environment = {
    ...{ GITHUB_ACTIONS: 'true', GITHUB_SERVER_URL: 'https://github.com', GITHUB_TOKEN: 'secret' },
    GITHUB_REPOSITORY: 'acme/widgets',
  };
  const foundIn = async (event: object) => {
    const path = join(folder, 'event.json');
    writeFileSync(path, JSON.stringify(event));
    const { number, origin } = await find({ ...environment, GITHUB_EVENT_PATH: path });
    return { number, origin };
  };
  const commit = 'a'.repeat(40);

  it.each([
    ['a pull request', { pull_request: { number: 5 } }, 5],
    ['a comment on one', { issue: { number: 6, pull_request: {} } }, 6],
    ['a comment on an issue', { issue: { number: 6 } }, undefined],
    ['a run of a workflow', { workflow_run: { pull_requests: [{ number: 8 }] } }, 8],
  ])('is about %s', async (_, event, number) => {
    expect(await foundIn(event)).toEqual({ number, origin: undefined });
  });

  it('names commit and branch for a fork', async () => {
    const run = {
      pull_requests: [],
      head_sha: commit,
      head_branch: 'fix',
      head_repository: { owner: { login: 'eve' } },
    };
    expect(await foundIn({ workflow_run: run })).toEqual({
      number: undefined,
      origin: { commit, branch: 'eve:fix' },
    });
    const { head_repository: _, ...rest } = run;
    expect(await foundIn({ workflow_run: rest })).toEqual({ number: undefined, origin: { commit } });
  });

  it('is refused where it cannot be read', async () => {
    const path = join(folder, 'event.json');
    writeFileSync(path, 'no json');
    await expect(find({ ...environment, GITHUB_EVENT_PATH: path })).rejects.toMatchObject({
      code: 'FORGE_NOT_CONFIGURED',
    });
  });
});

describe('a token', () => {
  it('goes to the host it was set for, and to no other', async () => {
    const asked = 'https://forge.example/acme/widgets/pull/3';
    await expect(find({ GITHUB_TOKEN: 'secret' }, { asked })).rejects.toMatchObject({
      details: { reason: 'unknown-host' },
    });
    const remotes = ['https://forge.example/acme/widgets.git'];
    await expect(find({ GITHUB_TOKEN: 'secret' }, { remotes })).rejects.toMatchObject({
      details: { reason: 'no-host' },
    });
    await expect(find({ GH_HOST: 'forge.example', GITHUB_TOKEN: 'secret' }, { asked })).rejects.toMatchObject(
      {
        details: { reason: 'no-token' },
      },
    );
    const own = await find({ GH_HOST: 'forge.example', GH_ENTERPRISE_TOKEN: 'secret' }, { asked });
    expect([own.number, own.forge.git.url]).toEqual([3, 'https://forge.example/acme/widgets.git']);
  });

  it('goes nowhere unencrypted', async () => {
    const environment = { GITEA_URL: 'http://forge.example', GITEA_TOKEN: 'secret' };
    const asked = 'http://forge.example/acme/widgets/pulls/3';
    await expect(find(environment, { asked })).rejects.toMatchObject({ details: { reason: 'unsafe' } });
  });

  it('holds nothing but what a token has', async () => {
    const remotes = ['git@github.com:acme/widgets.git'];
    const found = await find({ GITHUB_TOKEN: ' secret\n' }, { remotes });
    expect([found.forge.kind, found.forge.repository]).toEqual(['github', 'acme/widgets']);
    await expect(find({ GITHUB_TOKEN: 'two words' }, { remotes })).rejects.toMatchObject({
      details: { reason: 'malformed' },
    });
  });
});
