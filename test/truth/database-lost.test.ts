// The law of a folder project: its files are the truth. Whatever was told or accepted through any door is in them, so a store that
// is deleted and opened again sets the same prompts, byte for byte.
import { cp, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call } from '../../src/operations/call.js';
import type { Grant } from '../../src/operations/operation.js';
import { openStore } from '../../src/store/sqlite/open-store.js';
import type { Store } from '../../src/store/store.js';
import { followFolder } from '../../src/writing/folder/follow-folder.js';
import { claimFolder } from '../../src/writing/folder/project-folder.js';
import { storeOfProject } from '../../src/writing/owned/folder-store.js';

const grants: ReadonlySet<Grant> = new Set(['read', 'write', 'inspect', 'run']);
const projectId = 'novel';
let folder = '';
let store: Store;
let time = 1_700_000_000_000;
const now = () => {
  time += 1;
  return time;
};

const open = async () => {
  store = await openStore({ path: join(folder, '.galley', 'galley.db'), now });
};

beforeEach(async () => {
  folder = join(await realpath(await mkdtemp(join(tmpdir(), 'galley-truth-'))), '回声站');
  await cp('examples/novel', folder, { recursive: true, filter: (path) => !path.includes('galley.db') });
  await open();
  await claimFolder(store, projectId, folder);
  await followFolder(store, projectId, folder);
});
afterEach(async () => {
  await store.close();
  await rm(join(folder, '..'), { recursive: true, force: true });
});

async function ask<T = { id: string }>(id: string, request: object): Promise<T> {
  const context = {
    ...{ signal: new AbortController().signal, folder, debug: false, grants, log: () => undefined, now },
    store: async () => store,
    model: async () => {
      throw new Error('no model is asked');
    },
  };
  return (await call(id, { projectId, ...request }, context)) as T;
}

async function loseStore(): Promise<void> {
  await store.close();
  for (const name of await readdir(join(folder, '.galley')))
    if (name.startsWith('galley.db')) await rm(join(folder, '.galley', name));
  await open();
}

const chapters = ['chapters/03-the-box.md', 'chapters/05-the-truth.md', 'chapters/07-listener.md'];

/** Every text that a model would get, for several chapters and skills, in both formats. */
async function prompts(): Promise<Record<string, unknown>> {
  const texts: Record<string, unknown> = {};
  const documents = (await ask<{ documents: { documentId: string }[] }>('documents:list', {})).documents;
  for (const { documentId } of documents.filter((_, index) => index % 2 === 0)) {
    for (const skillId of ['continue', 'polish', 'consistency', 'rhyme']) {
      const request = { documentId, skillId, layout: 'exact' };
      const run = await ask<Record<string, unknown>>('ai:skill:run', { ...request, dryRun: true });
      texts[`run ${skillId} ${documentId}`] = [run.systemPrompt, run.userContent];
      const cursor = { cursorPosition: 200 };
      const set = await ask<Record<string, unknown>>('context:assemble', { ...request, ...cursor });
      texts[`assemble ${skillId} ${documentId}`] = [set.system, set.prompt, set.stablePrefixHash];
    }
  }
  return texts;
}

async function tellEverything(): Promise<void> {
  const rule = await ask('constraints:create', { text: '不出现手机', kind: 'world' });
  await ask('constraints:create', { text: 'No gods,\nno magic.', kind: 'world', pinned: true, priority: 5 });
  await ask('constraints:create', {
    text: '学来的规则',
    kind: 'plot',
    origin: 'knowledge',
    id: 'learned-rule',
  });
  await ask('constraints:create', { text: '说完就删', kind: 'style', id: 'gone' });
  await ask('constraints:update', { id: rule.id, text: '不出现手机和电脑', pinned: true });
  await ask('constraints:delete', { id: 'gone' });
  await ask('entities:put', {
    ...{ name: '月尘', description: '细得像面粉。\n第四章起：会发光。', aliases: ['尘'], kind: '物' },
    facts: [{ text: '落在手套上', from: 2, until: 4 }, { text: '总是灰的' }],
    secrets: [{ text: '它是活的', hiddenUntil: 6 }],
    relations: [{ to: '林远', label: '沾满' }],
  });
  const person = await ask<Record<string, unknown>>('entities:get', { id: '许澄' });
  const { version: _version, updatedAt: _updatedAt, ...card } = person;
  await ask('entities:put', { ...card, description: '站里的医生，三十二岁。', neverTrimmed: true });
  for (const kind of ['semantic', 'episodic', 'working'])
    expect(await ask('memory:put', { text: `记住 ${kind}`, kind, confidence: 0.8 })).toMatchObject({
      ...{ text: `记住 ${kind}`, kind, confidence: 0.8, confirmed: true, origin: 'caller' },
    });
  const learned = await ask('memory:put', { text: '喜欢雨天', kind: 'semantic', origin: 'learned' });
  await ask('memory:put', { text: '还没确认', kind: 'semantic', origin: 'learned' });
  await ask('memory:confirm', { id: learned.id });
  await ask('skills:put', {
    source:
      '---\nname: Rhyme\ndescription: Makes it rhyme.\ncontext_rules: { recent_summary: 3, style_guide: true, user_preferences: true }\n---\nWrite in rhymes.\n',
  });
  const { version: budgetVersion, ...budget } = await ask<{ version: number; window: number }>(
    'context:budget:get',
    {},
  );
  await ask('context:budget:update', { ...budget, window: 24_000, version: budgetVersion });
  const own = await storeOfProject(store, projectId, { folder, now });
  await own.settings.put(projectId, 'style_guide', '短句。\n少用形容词。\n');
  for (const [index, documentId] of chapters.entries()) {
    const run = await store.runs.put(projectId, {
      ...{ operation: 'ai:skill:run', status: 'succeeded', skillId: 'continue', documentId },
    });
    await ask('ai:skill:accept', { runId: run.id, text: `第${index}段。门开了。她走进去。` });
  }
}

describe('a folder project without its database', () => {
  it('sets the same prompts, byte for byte, and lists the same rows', async () => {
    await tellEverything();
    const lists = async () => [
      await ask('constraints:list', {}),
      (await ask<{ memory: object[] }>('memory:list', {})).memory.map((item) => ({ ...item, createdAt: 0 })),
      (await ask<{ entities: object[] }>('entities:list', {})).entities.map((item) => ({
        ...item,
        ...{ version: 1, updatedAt: 0 },
      })),
      await store.summaries.recent(projectId, 10),
      await ask('context:budget:get', {}),
    ];
    const before = { prompts: await prompts(), lists: await lists() };
    expect(JSON.stringify(before.prompts)).toContain('不出现手机和电脑');
    expect(JSON.stringify(before.prompts)).toContain('记住 semantic');
    expect(JSON.stringify(before.prompts)).toContain('她走进去');
    expect(JSON.stringify(before.prompts)).toContain('少用形容词');
    expect(JSON.stringify(before.prompts)).not.toContain('还没确认');
    await loseStore();
    const after = { prompts: await prompts(), lists: await lists() };
    expect(after).toEqual(before);
    await loseStore();
    await ask('constraints:create', { text: '丢了库再加', kind: 'style' });
    await loseStore();
    expect(JSON.stringify(await ask('constraints:list', {}))).toContain('丢了库再加');
  }, 60_000);

  it('finds rows by the ids that callers chose, and refuses what is there already', async () => {
    await ask('constraints:create', { id: 'no-shouting', text: '不喊叫', kind: 'character' });
    const again = ask('constraints:create', { id: 'no-shouting', text: '别的', kind: 'style' });
    await expect(again).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    await loseStore();
    expect(await ask('constraints:update', { id: 'no-shouting', pinned: true })).toMatchObject({
      ...{ id: '.galley/constraints.md#no-shouting', text: '不喊叫', pinned: true },
    });
    await ask('entities:put', { id: 'ada', name: 'Ada', description: 'Keeps the light.' });
    expect(await ask('entities:get', { id: 'ada' })).toMatchObject({
      name: 'Ada',
      id: '.galley/characters/ada.md',
    });
    await ask('entities:put', { id: 'ada', name: 'Ada Lovelace', description: 'Keeps the light.' });
    expect(await ask('entities:get', { id: 'ada' })).toMatchObject({ name: 'Ada Lovelace' });
    const run = await store.runs.put(projectId, { operation: 'ai:skill:run', status: 'succeeded' });
    await ask('ai:skill:accept', { runId: run.id, text: '好。' });
    await expect(ask('ai:skill:accept', { runId: run.id, text: '好。' })).rejects.toMatchObject({
      code: 'ALREADY_EXISTS',
    });
  });

  it('is changed by whoever asks, and only where it owns the folder', async () => {
    await ask('constraints:create', { projectId: 'other', text: '只在库里', kind: 'style' });
    expect((await store.constraints.list('other')).map(({ text }) => text)).toEqual(['只在库里']);
    expect(JSON.stringify(await ask('constraints:list', {}))).not.toContain('只在库里');
  });
});
