import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkshop, skillFile, type Workshop } from './workshop.js';

let workshop: Workshop;
beforeEach(async () => {
  workshop = await openWorkshop();
});
afterEach(() => workshop.close());

interface Entry {
  id: string;
  name: string;
  origin: string;
  contextRules: Record<string, unknown>;
  contextRulesJson: string;
}

describe('skills:put and skills:get', () => {
  it('keeps the rules as the same bytes, however they were written [skill.store]', async () => {
    await workshop.call('skills:put', { source: skillFile('  style_guide: true\n  surrounding: 5', 'one') });
    await workshop.call('skills:put', { source: skillFile('  surrounding: 5\n  style_guide: true', 'two') });
    const json =
      '{"characters":false,"knowledge_graph":false,"outline":false,"recent_summary":0,"style_guide":true,"surrounding":5,"user_preferences":false}';
    expect((await workshop.store.skills.get('one')).contextRules).toBe(json);
    expect((await workshop.store.skills.get('two')).contextRules).toBe(json);
    expect((await workshop.call<Entry>('skills:get', { skillId: 'two' })).contextRulesJson).toBe(json);
  });

  it('reads a file below the working folder and names the skill after its folder [skill.parse]', async () => {
    await workshop.write('.galley/skills/tighten/SKILL.md', skillFile('  surrounding: 1', '收紧'));
    const put = await workshop.call<Entry>('skills:put', {
      projectId: 'p',
      path: '.galley/skills/tighten/SKILL.md',
    });
    expect(put).toMatchObject({
      id: 'tighten',
      name: '收紧',
      projectId: 'p',
      contextRules: { surrounding: 1 },
    });
  });

  it('names the field and never the path when a file cannot be read', async () => {
    const secret = '.galley/skills/my-secret-name/SKILL.md';
    const linked = '.galley/my-secret-link';
    await workshop.write('.galley/note.md', 'x');
    await symlink('/etc/hostname', join(workshop.folder, linked));
    for (const id of ['skills:lint', 'skills:put'])
      for (const [path, code, message] of [
        [secret, 'FILE_UNREADABLE', 'path: cannot be read: it does not exist or may not be read.'],
        ['.galley', 'FILE_UNREADABLE', 'path: cannot be read: it is not a regular file.'],
        [linked, 'INVALID_ARGUMENT', 'path: is a link that leaves the working folder.'],
      ] as const)
        await expect(workshop.call(id, { path })).rejects.toMatchObject({
          code,
          message,
          details: { field: 'path' },
        });
  });

  it('takes rules from metadata, as strict readers want them [skill.parse]', async () => {
    const source =
      '---\nname: plain\ndescription: 说明\nmetadata:\n  context_rules: \'{"outline":true}\'\n---\n写得短一点。\n';
    await workshop.call('skills:put', { projectId: 'p', source });
    const got = await workshop.call<Entry>('skills:get', { projectId: 'p', skillId: 'plain' });
    expect(got).toMatchObject({
      origin: 'project',
      form: 'plain',
      contextRules: { outline: true, surrounding: 0 },
    });
  });

  for (const [what, rules, field] of [
    ['a list', '  - surrounding', 'context_rules'],
    ['an unknown field', '  surroundings: 5', 'context_rules.surroundings'],
    ['a negative number', '  surrounding: -1', 'context_rules.surrounding'],
    ['a fraction', '  recent_summary: 1.5', 'context_rules.recent_summary'],
    ['infinity', '  surrounding: .inf', 'context_rules.surrounding'],
    ['a word for a number', '  surrounding: "500"', 'context_rules.surrounding'],
    ['a word for a switch', '  outline: "yes"', 'context_rules.outline'],
  ] as const) {
    it(`refuses ${what} by field and stores nothing [skill.rules]`, async () => {
      for (const id of ['skills:put', 'skills:lint']) {
        await expect(workshop.call(id, { source: skillFile(rules) })).rejects.toMatchObject({
          code: 'INVALID_ARGUMENT',
          message: expect.stringContaining(field),
          details: { field },
        });
      }
      expect(await workshop.store.skills.list()).toEqual([]);
    });
  }

  it('refuses an unknown placeholder and gives advice for the rest', async () => {
    const source = skillFile('  surrounding: 1').replace('{{text}}', '{{txt}}');
    await expect(workshop.call('skills:put', { source })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      details: { field: 'prompt.user' },
    });
    const { issues } = await workshop.call<{ issues: { severity: string }[] }>('skills:lint', {
      source: skillFile('  surrounding: 1'),
    });
    expect(new Set(issues.map(({ severity }) => severity))).toEqual(new Set(['advice']));
    expect(await workshop.store.skills.list()).toEqual([]);
  });

  it('refuses paths that leave the working folder, also by a link', async () => {
    await writeFile(join(workshop.folder, '..', 'outside.md'), skillFile('  surrounding: 1'));
    await symlink(join(workshop.folder, '..', 'outside.md'), join(workshop.folder, 'link.md'));
    for (const path of [
      '../outside.md',
      join(workshop.folder, 'x.md'),
      'C:\\x.md',
      'a/../../outside.md',
      'link.md',
    ]) {
      const refusal = workshop.call('skills:put', { path });
      await expect(refusal).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', details: { field: 'path' } });
      await expect(refusal).rejects.not.toMatchObject({ message: expect.stringContaining(workshop.folder) });
    }
    await expect(workshop.call('skills:put', { path: 'missing.md' })).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
    });
    await expect(workshop.call('skills:put', {})).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('skills:list', () => {
  it('puts files of the folder before stored skills before built-in ones', async () => {
    await workshop.write('.galley/skills/polish/SKILL.md', skillFile('  surrounding: 7', '我的润色'));
    await workshop.call('skills:put', { source: skillFile('  surrounding: 1', 'condense') });
    await workshop.call('skills:put', { projectId: 'p', source: skillFile('  surrounding: 2', 'condense') });
    const { skills } = await workshop.call<{ skills: Entry[] }>('skills:list', { projectId: 'p' });
    const byId = new Map(skills.map((skill) => [skill.id, skill]));
    expect([...byId.keys()]).toEqual(['condense', 'consistency', 'continue', 'dialogue', 'expand', 'polish']);
    expect(byId.get('polish')).toMatchObject({
      origin: 'project',
      name: '我的润色',
      contextRules: { surrounding: 7 },
    });
    expect(byId.get('condense')).toMatchObject({ origin: 'project', contextRules: { surrounding: 2 } });
    const other = await workshop.call<{ skills: Entry[] }>('skills:list', { projectId: 'other' });
    expect(other.skills.find(({ id }) => id === 'condense')).toMatchObject({ origin: 'user' });
  });

  it('says which skill is not there', async () => {
    await expect(workshop.call('skills:get', { projectId: 'p', skillId: 'nope' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      details: { field: 'skillId' },
    });
  });
});
