// A writer's afternoon with the built program and a model on this machine: runs, drafts in pieces, an edit in between, undo, versions;
// no step needs an id or an offset.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loopback, openLoopback } from '../../src/testing/loopback/open-loopback.js';

const bin = join(process.cwd(), 'bin/galley.js');
let folder = '';
let model: Loopback;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-novelist-'));
  model = await openLoopback({ cache: false });
});
afterAll(async () => {
  await model.close();
  await rm(folder, { recursive: true, force: true });
});

async function galley(...words: string[]): Promise<{ code: number | null; out: string; talk: string }> {
  const machine = { PATH: process.env.PATH ?? '', HOME: folder, LC_ALL: 'C', NO_COLOR: '1' };
  const env = { ...machine, ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'k' };
  const running = spawn(process.execPath, [bin, 'write', ...words], { cwd: join(folder, 'book'), env });
  const said = { out: '', talk: '' };
  running.stdin.end();
  running.stdout.on('data', (text) => {
    said.out += String(text);
  });
  running.stderr.on('data', (text) => {
    said.talk += String(text);
  });
  const code = await new Promise<number | null>((done) => running.on('close', done));
  return { code, ...said };
}

const writer = ['--model', 'anthropic/claude-sonnet-4-5'];
const one = '# Chapter 1\n\nMara found the key. The river was cold.\n\nNobody spoke. She went home.\n';

describe('an afternoon of a novelist', () => {
  it('goes from the text to the chapter and back', { timeout: 240_000 }, async () => {
    const file = join(folder, 'book', '1-ferry.md');
    const chapter = () => readFile(file, 'utf8');
    await mkdir(join(folder, 'book'));
    await writeFile(file, one);
    await writeFile(join(folder, 'book', '2-bank.md'), '# Chapter 2\n\nTom asked about the key.\n');
    expect((await galley('init')).code).toBe(0);
    await galley(
      'entities',
      'add',
      'Mara',
      'Keeper of the ferry.\nSecret until chapter 2: she sank the boat.',
    );

    model.play([{ text: 'Mara found a key. The river was very cold.' }]);
    const run = await galley('run', 'polish', '1', '--from', 'Mara found', '--to', 'was cold.', ...writer);
    expect(run).toMatchObject({ code: 0, out: 'Mara found a key. The river was very cold.\n' });
    expect(run.talk).toMatch(
      /^The model gets [\d,]+ tokens: \d+ passages?, 0 people and things · at most \$\d/,
    );
    expect(run.talk).toContain('Kept back: 1 secret, 1 later chapter\n');
    expect(run.talk).toContain('galley write draft apply 1');
    expect(JSON.stringify(model.calls)).not.toContain('sank the boat');
    expect(await chapter()).toBe(one);

    expect((await galley('drafts')).out).toMatch(/1 +Chapter 1 +polish .* open/);
    const shown = await galley('draft', 'show', '1');
    expect(shown.out).toBe(
      '1  paragraph 2, line 3\n- Mara found the key.\n+ Mara found a key.\n\n2  paragraph 2, line 3\n- The river was cold.\n+ The river was very cold.\n',
    );
    expect((await galley('draft', 'apply', '1', '--parts', '2')).code).toBe(0);
    expect(await chapter()).toContain('Mara found the key. The river was very cold.');

    await writeFile(file, (await chapter()).replace('She went home', 'She ran home'));
    expect((await galley('draft', 'apply', '1')).talk).toContain('your edits since were kept');
    expect(await chapter()).toContain(
      'Mara found a key. The river was very cold.\n\nNobody spoke. She ran home.',
    );
    await galley('undo');
    await galley('undo', '1');
    expect(await chapter()).toBe(one.replace('She went home', 'She ran home'));
    expect(await galley('undo')).toMatchObject({ code: 2, talk: expect.stringContaining('nothing to undo') });

    await galley('snapshot', '1', '--name', 'before the storm');
    model.play([{ text: 'A storm came.' }, { text: 'The storm passed.' }]);
    const variants = await galley(
      'run',
      'continue',
      '1',
      '--after',
      'Nobody spoke.',
      '--variants',
      '2',
      ...writer,
    );
    expect(variants.out).toBe('A storm came.\nThe storm passed.\n');
    expect((await galley('draft', 'apply', '3')).talk).toContain('put aside: 1-ferry-continue-2');
    expect(await chapter()).toContain('Nobody spoke. The storm passed. She ran home.');

    model.play([{ text: 'Nobody said a word.' }]);
    await galley('run', 'polish', '1', '--from', 'Nobody', '--to', 'spoke.', ...writer);
    await writeFile(file, (await chapter()).replace('Nobody spoke.', 'No one spoke.'));
    const refused = await galley('draft', 'apply', '4');
    expect(refused).toMatchObject({ code: 6, out: '' });
    expect(refused.talk).toContain('1-ferry.md was edited in the same place');
    expect(refused.talk).toContain('paragraph 3, line 5');
    expect(await chapter()).toContain('No one spoke.');

    const history = await galley('history', '1');
    expect(history.out).toContain('snapshot before the storm');
    await galley('restore', '1', 'before the storm');
    expect(await chapter()).toBe(one.replace('She went home', 'She ran home'));
    for (const { out, talk } of [shown, history, refused, await galley('drafts', '--all')])
      expect(out + talk).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}|[0-9a-f]{40}/);
  });
});
