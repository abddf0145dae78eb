import { mkdir, open, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { followFolder } from '../../src/writing/folder/follow-folder.js';
import { claimFolder, projectFolder } from '../../src/writing/folder/project-folder.js';
import { openWorkshop, skillFile, type Workshop } from './workshop.js';

let workshop: Workshop;
beforeEach(async () => {
  workshop = await openWorkshop();
});
afterEach(() => workshop.close());

const follow = () => followFolder(workshop.store, 'novel', workshop.folder);

describe('a plain folder as a project', () => {
  it('becomes documents in reading order and follows every change', async () => {
    await workshop.write('第十章.md', '# 第十章 终\n末了。');
    await workshop.write('第二章.md', '# 第二章 起\n开始。');
    await workshop.write('notes/README.md', '附记');
    await workshop.write('README.md', '不是章节');
    expect((await follow()).changed).toEqual(['第二章.md', '第十章.md', 'notes/README.md']);
    const titles = async () => (await workshop.store.documents.list('novel')).map(({ title }) => title);
    expect((await titles()).filter((title) => title.startsWith('第'))).toEqual(['第二章 起', '第十章 终']);
    expect((await follow()).changed).toEqual([]);

    await workshop.write('第二章.md', '# 第二章 起\n开始了。');
    await rm(join(workshop.folder, '第十章.md'));
    const followed = await follow();
    expect(followed).toMatchObject({ changed: ['第二章.md'], forgotten: ['第十章.md'] });
    expect(await workshop.store.chunks.search('novel', '末了', { limit: 5 })).toEqual([]);
    expect((await workshop.store.documents.get('novel', '第二章.md')).text).toContain('开始了');
  });

  it('sees a change even when size and time of the file are the same', async () => {
    await workshop.write('a.md', '甲乙');
    const path = join(workshop.folder, 'a.md');
    const time = new Date(1_700_000_000_000);
    await utimes(path, time, time);
    await follow();
    await writeFile(path, '丙丁');
    await utimes(path, time, time);
    expect((await follow()).changed).toEqual(['a.md']);
  });

  it('leaves documents alone that never were files', async () => {
    await workshop.store.documents.put('novel', { id: 'put-by-hand.md', text: '手写' });
    await workshop.write('a.md', '甲');
    await follow();
    await follow();
    expect((await workshop.store.documents.list('novel')).map(({ id }) => id)).toContain('put-by-hand.md');
  });

  it('names files it cannot read and goes on with the rest', async () => {
    await workshop.write('good.md', '好');
    await workshop.write('latin.md', new Uint8Array([0x63, 0x61, 0x66, 0xe9]));
    await workshop.write('zero.txt', new Uint8Array([0x61, 0, 0x62]));
    const huge = await open(join(workshop.folder, 'huge.md'), 'w');
    await huge.truncate(50 * 1024 * 1024);
    await huge.close();
    await writeFile(join(workshop.folder, '..', 'secret.md'), '外面的秘密');
    await symlink(join(workshop.folder, '..', 'secret.md'), join(workshop.folder, 'link.md'));
    await mkdir(join(workshop.folder, '..', 'elsewhere'));
    await writeFile(join(workshop.folder, '..', 'elsewhere', 'x.md'), '外面的秘密');
    await symlink(join(workshop.folder, '..', 'elsewhere'), join(workshop.folder, 'linked'));
    const { chapters, warnings } = await follow();
    expect(chapters).toBe(1);
    expect(warnings.map(({ details }) => details?.path).sort()).toEqual([
      'huge.md',
      'latin.md',
      'link.md',
      'linked',
      'zero.txt',
    ]);
    for (const { code, message } of warnings) {
      expect(code).toBe('FILE_UNREADABLE');
      expect(message).not.toContain(workshop.folder);
    }
    expect((await workshop.store.documents.list('novel')).map(({ id }) => id)).toEqual(['good.md']);
  });

  it('keeps the last text of a chapter that cannot be read just now', async () => {
    await workshop.write('a.md', '甲');
    await follow();
    await workshop.write('a.md', new Uint8Array([0xff]));
    expect((await follow()).forgotten).toEqual([]);
    expect((await workshop.store.documents.get('novel', 'a.md')).text).toBe('甲');
  });

  it('makes constraints, cards and settings of its .galley files, and forgets them with the files', async () => {
    await workshop.write(
      '.galley/constraints.md',
      '# 约束\n\n## 世界观\n- 没有魔法\n## 情节\n1. 【固定】主角不知道真相\n',
    );
    await workshop.write(
      '.galley/characters/lin.md',
      '# 林远\n别名：阿远、林工\n冷静。\n关系：沈砚（老师）\n- 第三章起：受了伤。\n- 第五章前保密：他是卧底。\n',
    );
    await workshop.write('.galley/style-guide.md', '短句');
    await follow();
    const { store } = workshop;
    expect(await store.constraints.list('novel')).toMatchObject([
      { kind: 'world', text: '没有魔法', pinned: false, origin: 'user' },
      { kind: 'plot', text: '主角不知道真相', pinned: true },
    ]);
    expect(await store.entities.list('novel')).toMatchObject([
      {
        id: '.galley/characters/lin.md',
        name: '林远',
        aliases: ['阿远', '林工'],
        description: '冷静。',
        facts: [{ text: '受了伤。', from: 3 }],
        secrets: [{ text: '他是卧底。', hiddenUntil: 5 }],
        relations: [{ to: '沈砚', label: '老师' }],
      },
    ]);
    expect(await store.settings.get('novel', 'style_guide')).toBe('短句');
    await rm(join(workshop.folder, '.galley'), { recursive: true });
    await follow();
    expect(await store.constraints.list('novel')).toEqual([]);
    expect(await store.entities.list('novel')).toEqual([]);
    expect(await store.settings.get('novel', 'style_guide')).toBeUndefined();
  });

  it('lets every assembly find its skill files, and only while they are there', async () => {
    const skills = async () => (await workshop.store.skills.list('novel')).map(({ id }) => id);
    await workshop.call('skills:put', {
      projectId: 'novel',
      source: skillFile('  outline: true', 'by-hand'),
    });
    await workshop.write('.galley/skills/mine/SKILL.md', skillFile('  surrounding: 3'));
    await workshop.write('.galley/skills/broken/SKILL.md', 'no skill');
    await follow();
    expect(await skills()).toEqual(['by-hand', 'mine']);
    const found = await workshop.call<{ warnings: string[] }>('context:assemble', {
      projectId: 'novel',
      documentId: 'a.md',
      cursorPosition: 0,
      skillId: 'mine',
      text: '一句。',
    });
    expect(found.warnings.filter((warning) => warning.startsWith('SKILL_'))).toEqual([]);
    await rm(join(workshop.folder, '.galley'), { recursive: true });
    await follow();
    expect(await skills()).toEqual(['by-hand']);
  });

  it('keeps secrets of a card until their chapter', async () => {
    await workshop.write('.galley/characters/lin.md', '# 林远\n冷静。\n- 第五章前保密：他是卧底。\n');
    await workshop.write('04.md', '# 第四章\n林远来了。');
    await workshop.write('05.md', '# 第五章\n林远来了。');
    const shown = async (documentId: string) =>
      (await workshop.dryRun({ skillId: 'dialogue', documentId })).systemPrompt;
    expect(await shown('04.md')).not.toContain('卧底');
    expect(await shown('05.md')).toContain('卧底');
  });

  it('is read for the project that claimed it and for no other [scope.isolate]', async () => {
    await workshop.write('.galley/style-guide.md', '只给自己看');
    const prompt = async () =>
      (await workshop.dryRun({ skillId: 'polish', documentId: 'd', text: '一句。' })).systemPrompt;
    expect(await prompt()).toContain('只给自己看');
    await claimFolder(workshop.store, 'owner', workshop.folder);
    expect(await prompt()).not.toContain('只给自己看');
    expect(await projectFolder(workshop.store, 'owner', workshop.folder)).toBe(workshop.folder);
    expect(JSON.stringify(await workshop.store.projects.list())).not.toContain(workshop.folder);
  });

  it('is followed before a run once it is claimed', async () => {
    await workshop.write('a.md', '旧的一句。');
    await claimFolder(workshop.store, 'novel', workshop.folder);
    expect((await workshop.dryRun({ skillId: 'polish', documentId: 'a.md' })).userContent).toContain(
      '旧的一句。',
    );
    await workshop.write('a.md', '新的一句。');
    expect((await workshop.dryRun({ skillId: 'polish', documentId: 'a.md' })).userContent).toContain(
      '新的一句。',
    );
  });
});
