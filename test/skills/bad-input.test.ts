import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call } from '../../src/operations/call.js';
import { bestDriver } from '../../src/store/sqlite/drivers.js';
import { openStore } from '../../src/store/sqlite/open-store.js';
import { claimFolder } from '../../src/writing/folder/project-folder.js';
import { openWorkshop, skillFile, type Workshop } from './workshop.js';

let workshop: Workshop;
beforeEach(async () => {
  workshop = await openWorkshop();
});
afterEach(() => workshop.close());

const bomb = [
  'a: &a [x, x, x, x, x, x, x, x, x]',
  ...'bcdefghi'.split('').map((name, index) => {
    const before = 'abcdefgh'.charAt(index);
    return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(', ')}]`;
  }),
].join('\n');

describe('a skill file that means harm or is broken', () => {
  for (const [what, source] of [
    ['the same key twice', '---\nname: a\nname: b\ndescription: c\n---\nx\n'],
    [
      'the same rule twice',
      '---\nname: a\ndescription: c\ncontext_rules:\n  outline: true\n  outline: false\n---\nx\n',
    ],
    ['an anchor', '---\nname: &n a\ndescription: *n\n---\nx\n'],
    ['a YAML bomb', `---\nname: a\ndescription: b\n${bomb}\n---\nx\n`],
    ['a merge key', '---\nname: a\ndescription: b\n<<: { prompt: x }\n---\nx\n'],
    ['a tag', '---\nname: !!js/function a\ndescription: b\n---\nx\n'],
    ['no front matter', '# a\n'],
    ['an open fence', '---\nname: a\n'],
    ['nested brackets', `---\nname: a\ndescription: b\nx: ${'['.repeat(5000)}\n---\nx\n`],
    ['a megabyte of body', `---\nname: a\ndescription: b\n---\n${'x'.repeat(1_000_000)}`],
  ] as const) {
    it(`is refused for ${what}, by put, lint and as a file [skill.parse]`, async () => {
      const refused = { code: 'INVALID_ARGUMENT' };
      await expect(workshop.call('skills:put', { source })).rejects.toMatchObject(refused);
      await expect(workshop.call('skills:lint', { source })).rejects.toMatchObject(refused);
      await workshop.write('.galley/skills/bad/SKILL.md', source);
      await workshop.write('.galley/skills/good/SKILL.md', skillFile('  surrounding: 1'));
      const { skills, warnings } = await workshop.call<{
        skills: { id: string }[];
        warnings: { details: object }[];
      }>('skills:list', { projectId: 'p' });
      expect(skills.map(({ id }) => id)).toContain('good');
      expect(skills.map(({ id }) => id)).not.toContain('bad');
      expect(warnings.map(({ details }) => details)).toEqual([{ path: '.galley/skills/bad/SKILL.md' }]);
    });
  }

  it('costs only itself when a stored one no longer reads', async () => {
    const row = { name: 'n', description: '', contextRules: '{}', projectId: 'p' };
    await workshop.store.skills.put({ ...row, id: 'broken', source: 'no skill at all' });
    const { skills, warnings } = await workshop.call<{ skills: { id: string }[]; warnings: object[] }>(
      'skills:list',
      {
        projectId: 'p',
      },
    );
    expect(skills).toHaveLength(6);
    expect(warnings).toMatchObject([{ code: 'SKILL_INVALID', details: { id: 'broken' } }]);
  });
});

describe('a request that makes no sense', () => {
  const base = { projectId: 'novel', skillId: 'polish', documentId: 'd', text: '一句。', dryRun: true };
  for (const [field, change] of [
    ['selection.end', { selection: { start: 2, end: 1 } }],
    ['selection.start', { selection: { start: -1, end: 1 } }],
    ['cursorPosition', { cursorPosition: 1.5 }],
    ['text', { text: '半个\ud800' }],
    ['documentId', { documentId: '' }],
    ['budget.tokens', { budget: { tokens: 0 } }],
    ['contextRules', { contextRules: {} }],
  ] as const) {
    it(`is refused by its field ${field} [errors.closed]`, async () => {
      await expect(workshop.call('ai:skill:run', { ...base, ...change })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        details: { field },
      });
    });
  }

  it('never puts an odd document id into a ref [skill.refs]', async () => {
    for (const documentId of ['/etc/passwd', 'C:\\book\\1.md', '../../up.md']) {
      const run = await workshop.dryRun({
        skillId: 'polish',
        documentId,
        text: '前。中。后。',
        selection: { start: 2, end: 4 },
      });
      for (const ref of run.refs) expect(ref).toMatch(/^ref:(?!\/|[A-Za-z]:|\.\.)/);
      expect(run.userContent).not.toContain('/etc/passwd');
      expect(run.receipt.ledger.some(({ verdict }) => verdict === 'invalid')).toBe(false);
    }
  });
});

describe('data that is odd', () => {
  it('follows relations that run in a circle once', async () => {
    const { store } = workshop;
    await store.entities.put('novel', {
      name: '甲一',
      description: '甲',
      relations: [{ to: '乙二', label: '友' }],
    });
    await store.entities.put('novel', {
      name: '乙二',
      description: '乙',
      relations: [
        { to: '丙三', label: '友' },
        { to: '乙二', label: '己' },
      ],
    });
    await store.entities.put('novel', {
      name: '丙三',
      description: '丙',
      relations: [
        { to: '甲一', label: '友' },
        { to: '无人', label: '敌' },
      ],
    });
    const run = await workshop.dryRun({ skillId: 'consistency', documentId: 'd', text: '甲一来了。' });
    expect(run.userContent).toContain('甲一 → 乙二（友）');
    expect(run.userContent.match(/甲一 → 乙二/g)).toHaveLength(1);
  });

  it('gives an empty document and an unknown project a prompt all the same [layers.empty]', async () => {
    const run = await workshop.dryRun({ projectId: 'nobody', skillId: 'continue', documentId: 'none' });
    expect(run.systemPrompt).toContain('[身份与输出要求]');
    expect(run.userContent).toContain('请从这里接着写。');
  });

  it('does not read what is put in as a template', async () => {
    const run = await workshop.dryRun({
      skillId: 'polish',
      documentId: 'd',
      text: '{{instruction}} {{text}}',
      additionalInput: '{{text}}',
    });
    expect(run.userContent).toContain('{{instruction}} {{text}}');
    expect(run.userContent.endsWith('补充要求：{{text}}')).toBe(true);
  });
});

describe('a store in trouble', () => {
  it('runs a skill on a store it may only read and says that nothing was recorded', async () => {
    await workshop.store.constraints.create('novel', { kind: 'world', text: '没有魔法' });
    await claimFolder(workshop.store, 'novel', workshop.folder);
    await workshop.write('a.md', '新的一句。');
    const path = join(dirname(workshop.folder), 'galley.db');
    const driver = await bestDriver();
    const readOnly = {
      name: driver.name,
      connect(location: string) {
        const connection = driver.connect(location);
        connection.exec('pragma query_only = on');
        return connection;
      },
    };
    const store = await openStore({ path, now: () => 1, driver: readOnly });
    const context = { ...workshop.context, store: async () => store };
    const request = { projectId: 'novel', skillId: 'polish', documentId: 'a.md', dryRun: true };
    const run = (await call('ai:skill:run', request, context)) as {
      systemPrompt: string;
      userContent: string;
      warnings: string[];
    };
    await store.close();
    expect(run.systemPrompt).toContain('没有魔法');
    expect(run.userContent).toContain('新的一句。');
    expect(run.warnings.some((warning) => warning.startsWith('FOLDER_STALE'))).toBe(true);
    expect(run.warnings.some((warning) => warning.startsWith('RUN_NOT_RECORDED'))).toBe(true);
  });

  it('refuses a store of a newer version by its code', async () => {
    const path = join(dirname(workshop.folder), 'galley.db');
    const newer = join(dirname(workshop.folder), 'newer.db');
    const driver = await bestDriver();
    const raw = driver.connect(path);
    raw.all('pragma wal_checkpoint(truncate)', []);
    raw.close();
    await copyFile(path, newer);
    const copy = driver.connect(newer);
    copy.exec('pragma user_version = 999');
    copy.close();
    const context = { ...workshop.context, store: () => openStore({ path: newer, now: () => 1 }) };
    for (const [id, request] of [
      ['skills:list', { projectId: 'p' }],
      ['ai:skill:run', { projectId: 'p', skillId: 'polish', documentId: 'd', text: 'x', dryRun: true }],
      ['constraints:judge', { projectId: 'p', text: 'x' }],
    ] as const) {
      await expect(call(id, request, context)).rejects.toMatchObject({ code: 'STORE_TOO_NEW' });
    }
  });
});
