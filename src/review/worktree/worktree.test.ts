import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bareContext } from '../../../test/review-run/review-ground.js';
import { type ScratchRepository, scratchRepository } from '../../git/testing/scratch-repository.js';
import { call } from '../../operations/call.js';
import type { AnswerOf, OperationId } from '../../operations/table.js';
import { someFinding } from '../findings/testing/some-finding.js';
import { withLines } from './apply-suggestion.js';

function ground(make: (repository: ScratchRepository) => void) {
  const repository = scratchRepository();
  onTestFinished(() => repository.dispose());
  repository.write('a.ts', 'one\ntwo\nthree\n');
  repository.commit('before');
  make(repository);
  const ask = <Id extends OperationId>(id: Id, request: object) =>
    call(id, request, { ...bareContext(repository.folder), grants }) as Promise<AnswerOf<Id>>;
  const blobOf = async (path: string) => {
    const { entries } = await ask('review:changes', { mode: 'working' });
    return entries.find((entry) => entry.path === path)?.newBlob ?? '';
  };
  const read = (path: string) => readFileSync(join(repository.folder, path), 'utf8');
  return { repository, ask, blobOf, read };
}
const grants = new Set(['read', 'write'] as const);
const onLine = (line: number, replacement: string) => ({ startLine: line, endLine: line, replacement });

describe('a suggestion', () => {
  it('is put into the file that was reviewed, and a second one into what the first left', async () => {
    const { ask, blobOf, read, repository } = ground((made) => made.write('a.ts', 'one\nTWO\nthree\n'));
    repository.executable('a.ts', true);
    const blob = await blobOf('a.ts');
    const first = await ask('review:apply', { path: 'a.ts', blob, ...onLine(2, 'zwei\nund') });
    expect(first).toMatchObject({ path: 'a.ts', grew: 1 });
    expect(first.blob).toBe(await blobOf('a.ts'));
    await ask('review:apply', { path: 'a.ts', blob: first.blob, ...onLine(4, '') });
    expect(read('a.ts')).toBe('one\nzwei\nund\n');
    expect(statSync(join(repository.folder, 'a.ts')).mode & 0o111).not.toBe(0);
  });

  it.each([
    ['one\nTWO\nthree\n', 2, 'zwei\nund'],
    ['one\nTWO\nthree\n', 2, ''],
    ['one\r\ntwo\r\nthree', 3, ''],
    ['one\ntwo\nlast', 3, 'end\nof it'],
  ])('is undone to the byte: %j', async (text, line, replacement) => {
    const { ask, blobOf, read } = ground((made) => made.write('a.ts', text));
    const blob = await blobOf('a.ts');
    const done = await ask('review:apply', { path: 'a.ts', blob, ...onLine(line, replacement) });
    expect(read('a.ts')).not.toBe(text);
    const undo = { startLine: line, endLine: line + done.grew, replacement: done.replaced, exact: true };
    const undone = await ask('review:apply', { path: 'a.ts', blob: done.blob, ...undo });
    expect(read('a.ts')).toBe(text);
    expect(undone.grew).toBe(-done.grew || 0);
  });

  it('is refused where the file is another one by now, and changes nothing', async () => {
    const { ask, blobOf, read, repository } = ground((made) => made.write('a.ts', 'one\nTWO\nthree\n'));
    const blob = await blobOf('a.ts');
    repository.write('a.ts', 'one\nTWO \nthree\n');
    const asked = { path: 'a.ts', blob, ...onLine(2, 'zwei') };
    await expect(ask('review:apply', asked)).rejects.toMatchObject({ code: 'CHANGED_MEANWHILE' });
    expect(read('a.ts')).toBe('one\nTWO \nthree\n');
    repository.remove('a.ts');
    await expect(ask('review:apply', asked)).rejects.toMatchObject({ code: 'CHANGED_MEANWHILE' });
    expect(existsSync(join(repository.folder, 'a.ts'))).toBe(false);
  });

  it('keeps the line ends of the file, whatever git stores', async () => {
    const { ask, blobOf, read } = ground((made) => {
      made.git('config', 'core.autocrlf', 'true');
      made.write('a.ts', 'one\r\nTWO\r\nthree\r\n');
    });
    await ask('review:apply', { path: 'a.ts', blob: await blobOf('a.ts'), ...onLine(2, 'zwei\nund') });
    expect(read('a.ts')).toBe('one\r\nzwei\r\nund\r\nthree\r\n');
  });

  it.each(['../a.ts', '/a.ts', '.git/config', 'sub/.GIT/config', 'link.ts', 'folder/b.ts', 'a.ts/', '.'])(
    'reaches no %s',
    async (path) => {
      const { ask, repository } = ground((made) => {
        made.link('link.ts', 'a.ts');
        made.link('folder', '/tmp');
      });
      const blob = repository.git('rev-parse', 'HEAD:a.ts').trim();
      await expect(ask('review:apply', { path, blob, ...onLine(1, 'x') })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
      });
    },
  );

  it('replaces whole lines, also the last one without a line end', () => {
    expect(withLines('a\nb', onLine(2, 'c\nd'))).toEqual({ text: 'a\nc\nd', grew: 1, replaced: 'b' });
    expect(withLines('a\nb', onLine(2, ''))).toEqual({ text: 'a\n', grew: -1, replaced: 'b' });
    expect(() => withLines('a\nb\n', onLine(3, 'c'))).toThrow(/no such lines/);
  });
});

describe('a dismissal', () => {
  const finding = someFinding({ path: 'a.ts', evidence: 'TWO' });

  it('is kept once in the file of exemptions, beside what stands there, and can be taken back', async () => {
    const { ask, read, repository } = ground(() => {});
    const other = someFinding({ path: 'b.ts', evidence: 'B' });
    expect(await ask('review:exempt', { findings: [other], why: 'known' })).toEqual({
      ...{ file: '.galley/exemptions.json', added: 1, removed: 0 },
    });
    expect((await ask('review:exempt', { findings: [finding, finding] })).added).toBe(1);
    expect((await ask('review:exempt', { findings: [finding] })).added).toBe(0);
    expect(JSON.parse(read('.galley/exemptions.json'))).toMatchObject({
      exemptions: [
        { path: 'a.ts', why: 'dismissed' },
        { path: 'b.ts', why: 'known' },
      ],
    });
    expect((await ask('review:exempt', { findings: [finding], remove: true })).removed).toBe(1);
    expect(JSON.parse(read('.galley/exemptions.json')).exemptions).toHaveLength(1);
    await ask('review:exempt', { findings: [other], remove: true });
    expect(existsSync(join(repository.folder, '.galley/exemptions.json'))).toBe(false);
  });

  it('overwrites no file that it cannot read', async () => {
    const { ask, read } = ground((made) => made.write('.galley/exemptions.json', '{"mine": true}'));
    await expect(ask('review:exempt', { findings: [finding] })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    });
    expect(read('.galley/exemptions.json')).toBe('{"mine": true}');
  });
});

describe('the diff of a change', () => {
  it('has every line with its sign, cuts long ones with a count, and gives more when asked', async () => {
    const { ask } = ground((made) => {
      made.write('a.ts', `one\n${'x'.repeat(5000)}\nthree`);
      made.write('yarn.lock', 'left out\n');
    });
    const { files } = await ask('review:diff', { mode: 'working' });
    expect(files.map(({ path }) => path)).toEqual(['a.ts']);
    expect(files[0]?.hunks[0]).toMatchObject({
      ...{ oldStart: 1, oldLines: 3, newStart: 1, newLines: 3 },
      lines: [' one', '-two', '-three', `+${'x'.repeat(2000)}`, '+three'],
      cut: [{ line: 3, chars: 3000 }],
      noNewline: [4],
    });
    const more = await ask('review:diff', { mode: 'working', files: ['a.ts', 'yarn.lock'], lineChars: 5000 });
    expect(more.files[0]?.hunks[0]?.cut).toEqual([]);
    expect(more.files[1]?.hunks[0]?.lines).toEqual(['+left out']);
    const few = await ask('review:diff', { mode: 'working', files: ['a.ts'], fileLines: 2 });
    expect(few.files[0]).toMatchObject({ left: 3 });
  });

  it('is without secrets where that is asked for', async () => {
    const key = `ghp_${'a1B2'.repeat(9)}`;
    const { ask } = ground((made) => made.write('a.ts', `one\nconst token = '${key}';\nthree\n`));
    const asked = { mode: 'working', files: ['a.ts'] };
    expect(JSON.stringify(await ask('review:diff', asked))).toContain(key);
    expect(JSON.stringify(await ask('review:diff', { ...asked, redact: true }))).not.toContain(key);
  });
});
