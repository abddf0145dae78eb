import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bareContext } from '../../../test/review-run/review-ground.js';
import { scratchRepository } from '../../git/testing/scratch-repository.js';
import { call } from '../../operations/call.js';
import { parseConfig } from '../change/review-config.js';
import { withSetting } from './edit-settings.js';

type Settled = { before: object; difference: string[]; digest: string; written: boolean };

function ground(name?: string, text = '') {
  const repository = scratchRepository();
  onTestFinished(() => repository.dispose());
  const file = join(repository.folder, name ?? 'galley.config.yaml');
  if (name !== undefined) writeFileSync(file, text);
  const context = { ...bareContext(repository.folder), grants: new Set(['read', 'write'] as const) };
  const settle = (settings: object, was?: string) =>
    call('review:settle', { settings, ...(was === undefined ? {} : { was }) }, context) as Promise<Settled>;
  return { file, settle, read: () => readFileSync(file, 'utf8') };
}

describe('settings of reviews', () => {
  it('are shown as a difference, written into the file with its comments, and put back', async () => {
    const text = '# ours\nmeter: o200k_base # exact\nmaxPages: 3\n\nignore:\n  - "*.lock"\n';
    const { settle, read } = ground('galley.config.yaml', text);
    const wish = { meter: 'chars/4', maxPromptTokens: 64_000 };
    const shown = await settle(wish);
    expect(shown.written).toBe(false);
    expect(read()).toBe(text);
    expect(shown.difference).toContain('-meter: o200k_base # exact');
    expect(shown.difference).toContain('+meter: chars/4 # exact');
    const done = await settle(wish, shown.digest);
    expect(read()).toBe(`${text.replace('o200k_base', 'chars/4')}maxPromptTokens: 64000\n`);
    await settle(done.before, done.digest);
    expect(read()).toBe(text);
  });

  it('make the file where there is none, and take it away again', async () => {
    const { file, settle, read } = ground();
    const done = await settle({ maxPromptTokens: 9000 }, '');
    expect(read()).toBe('maxPromptTokens: 9000\n');
    await settle(done.before, done.digest);
    expect(existsSync(file)).toBe(false);
  });

  it.each([
    ['galley.config.yaml', ''],
    ['galley.config.yaml', '# ours\nmeter: o200k_base\n'],
    [
      'galley.config.yaml',
      'rules:\n  # of ours\n  - id: own\n    tags: [a]\n    when: { paths: [x] }\n\nmaxPages: 3\n',
    ],
    ['galley.config.yaml', 'rules: [{ id: own, tags: [a], when: { paths: [x] } }]\r\n'],
    ['galley.config.json', '{\n  "rules": [{ "id": "own", "tags": [], "when": {} }],\n  "maxPages": 3\n}\n'],
    ['galley.config.json', '{ "maxPages": 3 }\n'],
    ['galley.config.json', '{}\n'],
  ])('have a level of a file as a rule of its own, and let it go: %s %j', async (name, text) => {
    const { settle, read } = ground(name, text);
    const levels = { 'src/a [b].ts': 'full_file', 'src/c.ts': 'diff_only' };
    const shown = await settle({ levels });
    const done = await settle({ levels }, shown.digest);
    expect(done.before).toEqual({ levels: { 'src/a [b].ts': null, 'src/c.ts': null } });
    expect(read()).toContain('/src/a\\\\ \\\\[b\\\\].ts');
    expect(read()).toContain(text.includes('own') ? 'own' : 'rules');
    const turned = await settle({ levels: { 'src/c.ts': 'function' } }, done.digest);
    expect(turned.before).toEqual({ levels: { 'src/c.ts': 'diff_only' } });
    const put = await settle({ levels: { 'src/c.ts': null, 'src/a [b].ts': null } }, turned.digest);
    if (text === '') expect(put.digest).toBe('');
    else expect(await parseConfig(name, read())).toEqual(await parseConfig(name, text));
    if (text.includes('# ours')) expect(read()).toBe(text);
  });

  it('are not written over what somebody changed meanwhile', async () => {
    const { file, settle, read } = ground('galley.config.json', '{\n  "maxPages": 3\n}\n');
    const { digest } = await settle({ maxPromptTokens: 9000 });
    writeFileSync(file, '{\n  "maxPages": 4\n}\n');
    await expect(settle({ maxPromptTokens: 9000 }, digest)).rejects.toMatchObject({
      code: 'CHANGED_MEANWHILE',
    });
    expect(read()).toContain('4');
    await settle({ maxPromptTokens: 9000 }, (await settle({})).digest);
    expect(JSON.parse(read())).toEqual({ maxPages: 4, maxPromptTokens: 9000 });
  });

  it.each([
    ['{"a": 1}', '{"a": 1, "meter": "x"}'],
    ['{}', '{ "meter": "x" }'],
    ['a: 1', 'a: 1\nmeter: x\n'],
    ['# only words\n', '# only words\nmeter: x\n'],
    ['- a list\n', undefined],
    ['a: [1\n', undefined],
  ])('%s becomes %s', (before, after) => {
    expect(withSetting(before, 'meter', 'x')).toBe(after);
    if (after !== undefined && before.includes('a'))
      expect(withSetting(after, 'meter', null)?.trim()).toBe(before.trim());
  });
});
