// Files and repositories that requests name: inside the folders of the server or refused, however they are spelled.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { scratchFolder, scratchRepository } from '../../../git/testing/scratch-repository.js';
import { findOperation, operationIds } from '../../../operations/table.js';
import { operationPath } from '../pages/open-api.js';
import { serveForTest, type TestServer } from '../testing/serve-for-test.js';
import { fileFields } from './confine.js';

const world = scratchFolder();
const root = join(world, 'root');
const skill = '---\nname: echo\ndescription: Says it again.\n---\nSay it again.\n';
let server: TestServer;

beforeAll(async () => {
  for (const place of ['root/inside', 'outside', 'root-twin']) {
    const repository = scratchRepository({ folder: join(world, place) });
    repository.write('a.ts', `export const place = 1;\n`);
    repository.write('SKILL.md', skill);
    repository.write('out.sarif', '{"version":"2.1.0","runs":[]}');
    repository.commit('one');
  }
  mkdirSync(join(root, 'plain'));
  writeFileSync(join(root, 'SKILL.md'), skill);
  symlinkSync(join(world, 'outside'), join(root, 'link'));
  symlinkSync(join(world, 'outside', 'SKILL.md'), join(root, 'inside', 'linked.md'));
  mkdirSync(join(root, 'borrowed'));
  writeFileSync(join(root, 'borrowed', '.git'), `gitdir: ${join(world, 'outside', '.git')}\n`);
  server = await serveForTest({ roots: [root] });
});
afterAll(async () => {
  await server.close();
  rmSync(world, { recursive: true, force: true });
});

const review = (request: object) =>
  server.post(operationPath('review:chunks'), { mode: 'commit', commit: 'HEAD', ...request });
const forbidden = { status: 403, code: 'FORBIDDEN' };

describe('a repository', () => {
  it('inside the folders of the server can be reviewed, by either kind of path', async () => {
    expect(await review({ repo: 'inside' })).toMatchObject({ status: 200 });
    expect(await review({ repo: join(root, 'inside') })).toMatchObject({ status: 200 });
  });

  it('outside of them is refused, whatever the way there', async () => {
    const ways = [
      '../outside',
      '/',
      join(world, 'outside'),
      'link',
      'inside/../../outside',
      '../root-twin',
      'borrowed',
    ];
    for (const repo of ways) {
      const answer = await review({ repo });
      expect(answer, repo).toMatchObject(forbidden);
      expect(answer.text).not.toContain(world);
    }
    expect(server.lines.at(-1)).toMatchObject({ level: 'security', details: { operation: 'review:chunks' } });
  });

  it('that begins above them is refused', async () => {
    mkdirSync(join(root, 'inside', 'deep'), { recursive: true });
    const deep = await serveForTest({ roots: [join(root, 'inside', 'deep')] });
    expect(await deep.post(operationPath('review:changes'), { mode: 'working' })).toMatchObject(forbidden);
    await deep.close();
  });

  it('outside cannot be told from one that does not exist', async () => {
    const there = await review({ repo: 'link/a.ts' });
    const missing = await review({ repo: 'link/no-such' });
    expect(there).toMatchObject(forbidden);
    expect(missing.text).toBe(there.text);
    expect((await review({ repo: '../nowhere' })).text).toBe(there.text);
  });

  it('that is none is refused in the words of the operation', async () => {
    expect(await review({ repo: 'plain' })).toMatchObject({ status: 400, code: 'NOT_A_REPOSITORY' });
  });
});

describe('files beside it', () => {
  it('are read inside and refused outside', async () => {
    expect(await review({ repo: 'inside', skill: 'SKILL.md' })).toMatchObject({ status: 200 });
    for (const path of [
      '../outside/SKILL.md',
      join(world, 'outside', 'SKILL.md'),
      'linked.md',
      'link/SKILL.md',
    ])
      expect(await review({ repo: 'inside', skill: path }), path).toMatchObject(forbidden);
    const linter = (path: string) => review({ repo: 'inside', linter: [{ path, format: 'sarif' }] });
    expect(await linter('inside/out.sarif')).toMatchObject({ status: 200 });
    for (const path of ['../outside/out.sarif', '/etc/hostname', 'link/out.sarif'])
      expect(await linter(path), path).toMatchObject(forbidden);
  });

  it('hold skills under the same rule', async () => {
    const lint = (path: unknown) => server.post(operationPath('skills:lint'), { path });
    expect(await lint('SKILL.md')).toMatchObject({ status: 200 });
    for (const path of ['../outside/SKILL.md', '/etc/passwd', 'link/SKILL.md', 'x\u0000y'])
      expect(await lint(path)).toMatchObject(forbidden);
    expect(await lint(7)).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('the operation table', () => {
  it('has no other field that sounds like a file', async () => {
    const known: readonly string[] = [
      ...fileFields,
      // Names inside a repository's tree, and texts; what is brought in comes with its bytes.
      'files',
      'paths',
      'report',
      'instructionFileText',
      'lockfileSummary',
      // How many lines of one.
      'fileLines',
    ];
    for (const id of operationIds) {
      const { input } = (await findOperation(id)) ?? {};
      const fields = Object.keys(input instanceof z.ZodObject ? input.shape : {});
      const files = fields.filter((field) => /path|file|folder|dir|repo|skill$|linter$/i.test(field));
      expect(files.filter((field) => !known.includes(field))).toEqual([]);
    }
  });
});
