// Real processes on one folder, killed in the middle of what they do: whatever one of them said it had applied is in the chapter.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'tsup';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { look } from '../../src/writing/drafts/change-chapter.js';
import { folderHome } from '../../src/writing/drafts/folder-home.js';
import { sweepSize } from '../sweep-size.js';

const child = `
import { folderHome } from './folder-home.js';
import { makeDrafts } from './make-drafts.js';
import { applyDraft } from './apply-draft.js';
const [folder, name] = process.argv.slice(2);
const home = folderHome(folder);
for (let n = 0; ; n += 1) {
  const chapter = home.textOf(await home.readChapter('one.md'), 'one.md').text;
  const words = name + 'n' + n + '。';
  const skill = { id: 'continue', recipe: 'continue' };
  try {
    const [draft] = await makeDrafts(home, { documentId: 'one.md', skill, model: 'm', at: n, chapter, texts: [words] });
    await applyDraft(home, draft.name, { keepVariants: false, at: n });
    process.stdout.write(words + '\\n');
  } catch (error) {
    if (!['CHANGED_MEANWHILE', 'STORE_BUSY'].includes(error.code)) throw error;
  }
}
`;

let bundle = '';
beforeAll(async () => {
  bundle = await mkdtemp(join(tmpdir(), 'galley-killed-'));
  const names = ['folder-home', 'make-drafts', 'apply-draft'];
  const entry = Object.fromEntries(names.map((name) => [name, resolve(`src/writing/drafts/${name}.ts`)]));
  const outExtension = () => ({ js: '.js' });
  await build({
    entry,
    outDir: bundle,
    format: 'esm',
    external: ['yaml'],
    outExtension,
    config: false,
    silent: true,
  });
  await writeFile(join(bundle, 'package.json'), '{"type":"module"}');
  await writeFile(join(bundle, 'child.js'), child);
  await symlink(resolve('node_modules'), join(bundle, 'node_modules'));
});
afterAll(() => rm(bundle, { recursive: true, force: true }));

/** Kills it once it has said so many lines; gives all it said. */
async function until(lines: number, running: ChildProcess, delayMs: number): Promise<string[]> {
  const said: string[] = [];
  const ended = once(running, 'exit');
  for await (const line of createInterface({ input: running.stdout as NonNullable<typeof running.stdout> })) {
    said.push(line);
    if (said.length === lines) setTimeout(() => running.kill('SIGKILL'), delayMs);
  }
  const [code, signal] = await ended;
  expect([code, signal]).toEqual([null, 'SIGKILL']);
  return said;
}

describe('processes that are killed while they apply drafts', () => {
  const count = sweepSize('kills of processes that apply drafts', { everyRun: 4, nightly: 100 });

  it(`lose nothing they had acknowledged, ${count} times two`, { timeout: 3_600_000 }, async () => {
    const folder = join(bundle, 'book');
    await mkdir(folder);
    await writeFile(join(folder, 'one.md'), '雨停了。\n');
    const acknowledged: string[] = [];
    for (let round = 0; round < count; round += 1) {
      const start = (name: string) =>
        spawn(process.execPath, [join(bundle, 'child.js'), folder, name], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
      const said = await Promise.all(
        ['a', 'b'].map((name, nth) =>
          until(2 + ((round + nth) % 3), start(`${name}${round}`), (round * 7 + nth * 3) % 23),
        ),
      );
      acknowledged.push(...said.flat());
      const home = folderHome(folder);
      await look(home);
      expect((await home.log()).open).toEqual([]);
      const text = await readFile(join(folder, 'one.md'), 'utf8');
      for (const words of acknowledged) expect(text).toContain(words);
    }
  });
});
