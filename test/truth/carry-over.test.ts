// A store of the version before, in which commands kept what they were told: shown first, then written to the files, once.
import { cp, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/sqlite/open-store.js';
import type { Store } from '../../src/store/store.js';
import { followFolder } from '../../src/writing/folder/follow-folder.js';
import { claimFolder } from '../../src/writing/folder/project-folder.js';
import { toCarryOver } from '../../src/writing/owned/carry-over.js';
import { carryOverProject } from '../../src/writing/owned/change-folder.js';
import { storeOfProject } from '../../src/writing/owned/folder-store.js';

const projectId = 'novel';
let root = '';
let time = 1_700_000_000_000;
const now = () => {
  time += 1;
  return time;
};
const stores: Store[] = [];

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'galley-carry-')));
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  await rm(root, { recursive: true, force: true });
});

/** A folder that was worked in before, with its store. */
async function oldProject(name: string): Promise<{ folder: string; store: Store }> {
  const folder = join(root, name);
  await cp('examples/novel', folder, { recursive: true, filter: (path) => !path.includes('galley.db') });
  const store = await openStore({ path: join(folder, '.galley', 'galley.db'), now });
  stores.push(store);
  await claimFolder(store, projectId, folder);
  await store.constraints.create(projectId, { text: '不出现手机', kind: 'world', pinned: true });
  await store.constraints.create(projectId, { text: '避免使用感叹号和省略号', kind: 'style', pinned: true });
  await store.constraints.create(projectId, { id: 'chosen', text: 'Two\nlines', kind: 'plot', priority: 3 });
  await store.entities.put(projectId, {
    ...{ name: '月尘', description: '细得像面粉', aliases: ['尘'], kind: '物' },
    facts: [{ text: '会发光', from: 3 }],
    secrets: [{ text: '它是活的', hiddenUntil: 6 }],
  });
  await store.entities.put(projectId, { name: '林远', description: '命令里另说的林远' });
  await store.memory.put(projectId, { text: '段落要短', kind: 'semantic' });
  await store.memory.learn(projectId, { text: '喜欢雨天', kind: 'semantic', confidence: 0.7 });
  await store.summaries.add(projectId, {
    text: '门开了。',
    skillId: 'continue',
    documentId: 'chapters/03-the-box.md',
  });
  await store.summaries.add(projectId, { text: '她走了。', runId: 'run-2', id: 'run-2' });
  await store.skills.put({
    ...{ id: 'rhyme', name: 'Rhyme', description: 'Rhymes.', contextRules: '{}', projectId },
    source: '---\nname: Rhyme\ndescription: Rhymes.\n---\nWrite in rhymes.\n',
  });
  await followFolder(store, projectId, folder);
  return { folder, store };
}

/** Every file of a project but the store's own. */
async function filesOf(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files: Record<string, string> = {};
  for (const entry of names) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !entry.name.startsWith('galley.db'))
      files[path.slice(folder.length)] = (await readFile(path, 'utf8')).replaceAll(/at: [^,>]+,?/gu, 'at');
  }
  return files;
}

describe('what only the store knew', () => {
  it('is shown, then stands in the files, nothing lost and nothing twice', async () => {
    const { folder, store } = await oldProject('one');
    const shown = await toCarryOver(store, projectId, folder);
    expect(shown).toEqual([
      { kind: 'constraints', count: 3, path: '.galley/constraints.md' },
      { kind: 'memory', count: 2, path: '.galley/memory.md' },
      { kind: 'episodes', count: 2, path: '.galley/episodes.md' },
      { kind: 'entities', count: 2, path: '.galley/characters/' },
      { kind: 'skills', count: 1, path: '.galley/skills/' },
    ]);
    const before = await filesOf(folder);
    expect(Object.keys(before)).not.toContain('/.galley/memory.md');
    expect((await carryOverProject(store, projectId, folder)).carried).toEqual(shown);
    const files = await filesOf(folder);
    expect(files['/.galley/constraints.md']).toBe(
      before['/.galley/constraints.md']
        ?.replace('基于科技\n', '基于科技\n- 【固定】不出现手机\n')
        .replace('- 避免使用感叹号', '- 【固定】避免使用感叹号')
        .replace(/真相\n$/u, '真相\n- Two<br>lines <!-- id: chosen, priority: 3 -->\n'),
    );
    expect(files['/.galley/memory.md']).toContain(
      '- 段落要短\n- 【待确认】喜欢雨天 <!-- confidence: 0.7 -->\n',
    );
    expect(files['/.galley/episodes.md']).toContain('她走了。');
    expect(files['/.galley/characters/月尘.md']).toBe(
      '# 月尘\n\n类型：物\n别名：尘\n细得像面粉\n\n- 第3章起：会发光\n- 第6章前保密：它是活的\n',
    );
    // Somebody had a card already that says something else: both stay, and the folder says so.
    expect(files['/.galley/characters/lin-yuan_2.md']).toContain('命令里另说的林远');
    expect(await toCarryOver(store, projectId, folder)).toEqual([]);
    const followed = await followFolder(store, projectId, folder);
    expect(followed.warnings.map(({ message }) => message).join()).toContain('join the two cards');
    await carryOverProject(store, projectId, folder);
    expect(await filesOf(folder)).toEqual(files);
    expect(
      (await store.constraints.list(projectId)).filter(({ text }) => text === '不出现手机'),
    ).toHaveLength(1);
  });

  it('ends the same however often it is cut short, at whatever call', async () => {
    const { folder: whole, store: first } = await oldProject('whole');
    await carryOverProject(first, projectId, whole);
    const wanted = await filesOf(whole);
    for (const stop of [0, 1, 2, 4, 6, 8]) {
      const { folder, store } = await oldProject(`cut-${stop}`);
      await expect(carryOverProject(failingAfter(store, stop), projectId, folder)).rejects.toThrow(
        'cut short',
      );
      await carryOverProject(failingAfter(store, stop), projectId, folder).catch(() => undefined);
      await carryOverProject(store, projectId, folder);
      expect(await filesOf(folder)).toEqual(wanted);
    }
  });

  it('goes with the first change, whose row is found by the id it had', async () => {
    const { folder, store } = await oldProject('first-change');
    const own = await storeOfProject(store, projectId, { folder, now });
    const rule = (await own.constraints.list(projectId)).find(({ text }) => text === '不出现手机');
    const changed = await own.constraints.update(projectId, rule?.id ?? '', { text: '不出现电话' });
    expect(changed).toMatchObject({ text: '不出现电话', pinned: true });
    const list = await readFile(join(folder, '.galley', 'constraints.md'), 'utf8');
    expect(list).toContain('- 【固定】不出现电话\n');
    expect(list).not.toContain('手机');
  });

  it('keeps a text of the store whose file was never there, and takes one away whose file is gone', async () => {
    const { folder, store } = await oldProject('settings');
    await rm(join(folder, '.galley', 'style-guide.md'));
    await followFolder(store, projectId, folder);
    expect(await store.settings.get(projectId, 'style_guide')).toBeUndefined();
    await store.settings.put(projectId, 'style_guide', '短句。');
    await followFolder(store, projectId, folder);
    await carryOverProject(store, projectId, folder);
    expect(await readFile(join(folder, '.galley', 'style-guide.md'), 'utf8')).toBe('短句。');
    await writeFile(join(folder, '.galley', 'style-guide.md'), '长句。');
    await followFolder(store, projectId, folder);
    expect(await store.settings.get(projectId, 'style_guide')).toBe('长句。');
  });
});

/** As if the process had been killed at the n-th row that goes. */
function failingAfter(store: Store, calls: number): Store {
  let left = calls;
  const cut = <Args extends readonly unknown[]>(work: (...args: Args) => Promise<void>) => {
    return async (...args: Args) => {
      if (left === 0) throw new Error('cut short');
      left -= 1;
      return work(...args);
    };
  };
  return {
    ...store,
    constraints: { ...store.constraints, delete: cut(store.constraints.delete) },
    memory: { ...store.memory, delete: cut(store.memory.delete) },
    summaries: { ...store.summaries, delete: cut(store.summaries.delete) },
    entities: { ...store.entities, delete: cut(store.entities.delete) },
  };
}
