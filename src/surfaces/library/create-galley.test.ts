import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, expectTypeOf, it } from 'vitest';
import { createGalley, type Galley } from './create-galley.js';

let folder = '';
let galley: Galley;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-library-'));
  galley = createGalley({ folder, store: ':memory:' });
});
afterEach(async () => {
  await galley.close();
  await rm(folder, { recursive: true, force: true });
});

it('asks any operation by id, with what it takes and gives known at compile time', async () => {
  const { id } = await galley.call('constraints:create', {
    projectId: 'novel',
    text: '不得使用感叹号',
    kind: 'style',
  });
  const { constraints } = await galley.call('constraints:list', { projectId: 'novel' });
  expect(constraints.map((one) => one.id)).toEqual([id]);
  const { prompt } = await galley.call('agents:assemble', {
    agentType: 'claude-code',
    contextMessages: [],
    currentMessage: 'hello',
  });
  expectTypeOf(prompt).toEqualTypeOf<string>();
  expect(prompt).toContain('hello');
  // @ts-expect-error a kind that does not exist
  const wrong = galley.call('constraints:create', { projectId: 'novel', text: 'x', kind: 'mood' });
  await expect(wrong).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
});

it('works in the current folder when none is named, and refuses what is no signal', async () => {
  const here = createGalley({ folder: undefined as never, store: ':memory:' });
  expect((await here.call('skills:list', {})).skills.length).toBeGreaterThan(0);
  const strange = here.call('skills:list', {}, { signal: {} as AbortSignal });
  await expect(strange).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  await here.close();
});

it('refuses options that cannot work where they are given, and names them', () => {
  const wrong: [string, unknown][] = [
    ['foldr', { foldr: '.' }],
    ['folder', { folder: 7 }],
    ['store', { store: 42 }],
    ['model', { model: 'cli/claude' }],
    ['grants', { grants: ['read'] }],
    ['grants', { grants: new Set(['all']) }],
  ];
  for (const [field, options] of wrong)
    expect(() => createGalley(options as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', details: { field } }),
    );
});

it('says that it is closed, and that a field is missing', async () => {
  const missing = galley.call('documents:list', {} as never);
  await expect(missing).rejects.toMatchObject({ message: 'projectId: is missing.' });
  await galley.close();
  const late = galley.call('documents:list', { projectId: 'novel' });
  await expect(late).rejects.toMatchObject({ code: 'CANCELLED', message: expect.stringContaining('closed') });
});
