import { closeSync, existsSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ScratchRepository,
  scratchFolder,
  scratchRepository,
} from '../../src/git/testing/scratch-repository.js';
import { packedProject, runPacked, startPacked } from './packed-program.js';

let repository: ScratchRepository;
beforeAll(() => {
  repository = scratchRepository();
  repository.write('a.txt', 'one\n');
  repository.commit('start');
  for (let file = 0; file < 200; file += 1) repository.write(`${file}.txt`, 'new line\n'.repeat(200));
});
afterAll(() => repository?.dispose());

const fullDevice = '/dev/full';

describe.skipIf(!existsSync(fullDevice))('an output that is full', () => {
  it.each([
    [['call', 'review:chunks'], '{"mode":"working"}'],
    [['review', '--working', '--json'], ''],
    [['review', '--working'], ''],
    [['schema', 'review:plan'], ''],
    [['--help'], ''],
    [['--version'], ''],
    [['call', 'nothing'], '{}'],
  ])('is told in one line, with the code of a broken environment: %j [D4]', async (args, input) => {
    const stdout = openSync(fullDevice, 'w');
    const { exit, stderr } = await runPacked(args, { cwd: repository.folder, input, stdout });
    closeSync(stdout);
    expect(stderr).toBe(
      'galley: standard output cannot be written, so the answer is not whole (ENOSPC)\n' +
        '  next: make room there or send the output elsewhere, and run it again\n',
    );
    expect(exit).toBe(5);
  });

  it('changes nothing when only what is said to people cannot be written [D4]', async () => {
    const stderr = openSync(fullDevice, 'w');
    const cwd = repository.folder;
    expect((await runPacked(['--version'], { cwd, stderr })).exit).toBe(0);
    expect((await runPacked(['review', '--base', 'nowhere'], { cwd, stderr })).exit).toBe(2);
    closeSync(stderr);
  });
});

describe('a reader that has seen enough', () => {
  it('ends the program quietly, and nothing stays behind [D4] [R25]', async () => {
    const temp = scratchFolder();
    const child = startPacked(['call', 'review:chunks'], { cwd: repository.folder, env: { TMPDIR: temp } });
    let said = '';
    child.stderr?.on('data', (part: Buffer) => {
      said += part.toString();
    });
    child.stdin?.end('{"mode":"working"}');
    child.stdout?.destroy();
    const exit = await new Promise((done) => child.once('close', done));
    expect([exit, said]).toEqual([0, '']);
    expect(readdirSync(temp)).toEqual([]);
    rmSync(temp, { recursive: true });
  });
});

describe('a command that is not there', () => {
  it.each([
    [['agent', 'aspect', '--help'], "Unknown command 'galley agent aspect'; there is run"],
    [['agent', 'rum', '--help'], 'did you mean "run"?'],
    [['agent', '--task', 'run', 'aspect', '-h'], "Unknown command 'galley agent aspect'"],
    [['write', 'memry', '--help'], 'did you mean "memory"?'],
    [['reviw', '--help'], 'did you mean "review"?'],
    [['help', 'reviw'], 'did you mean "review"?'],
    [['help', 'agent', 'aspect'], "Unknown command 'galley agent aspect'"],
    [['mcp', 'instal', '-h'], 'did you mean "install"?'],
    [['agent', 'run', 'aspect', '--help'], "'galley agent run' takes no word 'aspect'"],
    [['help', 'doctor', 'aspect'], "'galley doctor' takes no word 'aspect'"],
  ])('has no help: %j [D12]', async (args, words) => {
    const { exit, stdout, stderr } = await runPacked(args, { cwd: packedProject() });
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(words);
  });

  it.each([
    ['agent', '--task', 'inspect', '--help'],
    ['agent', 'run', '--help'],
    ['help', 'agent', 'run'],
    ['help'],
  ])('leaves the help of those that are: %s %s %s %s', async (...args) => {
    const { exit, stdout } = await runPacked(args, { cwd: packedProject() });
    expect([exit, stdout.startsWith('Usage: galley')]).toEqual([0, true]);
  });
});

describe('an address in the place of a store', () => {
  const address = 'mysql://ada:secret@db.example/novels';
  const refused = /must be a file.*, not another address/;

  it.each([
    [['call', 'constraints:list', '--store', address], {}],
    [['call', 'constraints:list'], { GALLEY_STORE: address }],
    [['write', 'init'], { GALLEY_STORE: address }],
    [['write', 'status'], { GALLEY_STORE: 'file:novel.db' }],
    [['doctor'], { GALLEY_STORE: address }],
    [['mcp'], { GALLEY_STORE: address }],
    [['serve', '--port', '0'], { GALLEY_STORE: address }],
    [['serve', '--port', '0', '--store', 'libsql://host'], {}],
  ])('is refused and leaves no folder: %j %j [D11]', async (args, env) => {
    const cwd = scratchFolder();
    const { exit, stdout, stderr } = await runPacked(args, { cwd, env, input: '{"projectId":"novel"}' });
    const said = stdout + stderr;
    expect(said).toMatch(refused);
    expect(said).not.toContain('secret');
    expect([exit, readdirSync(cwd)]).toEqual([2, []]);
    rmSync(cwd, { recursive: true });
  });

  it('is refused by the library, where drives of Windows are paths [D11] [D6]', async () => {
    const cwd = scratchFolder();
    const { createGalley, openStore } = (await import(
      join(packedProject(), 'node_modules', 'galley', 'dist', 'index.js')
    )) as typeof import('../../src/index.js');
    expect(() => createGalley({ store: address })).toThrow(refused);
    await expect(openStore({ path: address })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    for (const store of ['C:\\novels\\a.db', 'c:/novels/a.db', ':memory:', './a:b.db'])
      await createGalley({ store, folder: cwd }).close();
    const store = await openStore({ path: join(cwd, 'novel.db') });
    const one = createGalley({ store, folder: cwd });
    const place = { projectId: 'novel', documentId: 'one' };
    await one.call('documents:put', { ...place, title: 'One', text: 'It rained.' });
    await one.close();
    const other = createGalley({ store, folder: cwd });
    expect(await other.call('documents:get', place)).toMatchObject({ text: 'It rained.' });
    await other.close();
    await store.close();
    rmSync(cwd, { recursive: true });
  });
});
