import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtInSkills } from './built-in/built-in-skills.js';
import { loadSkillFolder } from './load-skill-folder.js';
import { parseSkill } from './parse-skill.js';
import { createSkillRegistry } from './skill-registry.js';

const plain = (name: string, words = 'body') => `---\nname: ${name}\ndescription: d\n---\n${words}\n`;

describe('a registry of skills', () => {
  it('prefers the project’s skill, then the user’s, then the built-in one', () => {
    const mine = parseSkill(plain('polish', 'mine'));
    const users = [parseSkill(plain('polish', 'users')), parseSkill(plain('expand', 'users'))];
    const registry = createSkillRegistry({ builtIn: builtInSkills(), user: users, project: [mine] });
    expect(registry.get('polish')).toEqual({ skill: mine, origin: 'project' });
    expect(registry.get('expand').origin).toBe('user');
    expect(registry.get('continue').origin).toBe('built-in');
    expect(registry.list().map(({ skill }) => skill.id)).toEqual([
      'condense',
      'consistency',
      'continue',
      'dialogue',
      'expand',
      'polish',
    ]);
    expect(registry.warnings).toEqual([]);
  });

  it('warns about two skills of one origin with one id, and keeps the first', () => {
    const registry = createSkillRegistry({
      project: [parseSkill(plain('A b')), parseSkill(plain('a-b', 'second'))],
    });
    expect(registry.get('a-b').skill.name).toBe('A b');
    expect(registry.warnings.map((warning) => warning.code)).toEqual(['SKILL_SHADOWED']);
  });

  it('says NOT_FOUND for an unknown id', () => {
    expect(() => createSkillRegistry({}).get('nope')).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });
});

describe('reading a folder of skills', () => {
  let scratch: string;
  let folder: string;
  const put = async (path: string, words: string | Uint8Array) => {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), words);
  };

  beforeEach(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'galley-skills-'));
    folder = join(scratch, 'project');
    await mkdir(folder);
  });
  afterEach(() => rm(scratch, { recursive: true, force: true }));

  it('reads every known place, Chinese folder names too, in a fixed order [skill.refs]', async () => {
    await put('.agents/skills/notes/SKILL.md', plain('notes'));
    await put('.writenow/skills/润色/SKILL.md', plain('润色'));
    await put('.galley/skills/b/SKILL.md', plain('b'));
    await put('.galley/skills/a/SKILL.md', plain('a'));
    await put('.claude/skills/b/SKILL.md', plain('b', 'other'));
    await put('.claude/skills/README.md', 'not a skill');
    const { skills, warnings } = await loadSkillFolder(folder);
    expect(skills.map((skill) => skill.path)).toEqual([
      '.galley/skills/a/SKILL.md',
      '.galley/skills/b/SKILL.md',
      '.writenow/skills/润色/SKILL.md',
      '.agents/skills/notes/SKILL.md',
    ]);
    expect(warnings.map((warning) => warning.code)).toEqual(['SKILL_SHADOWED']);
  });

  it('leaves out what is invalid, too large, not a file or linked from outside, and says so', async () => {
    await put('.galley/skills/good/SKILL.md', plain('good'));
    await put('.galley/skills/broken/SKILL.md', '---\nname: x\ncontext_rules: 7\n---\nbody');
    await put('.galley/skills/large/SKILL.md', plain('large', 'x'.repeat(300_000)));
    await mkdir(join(folder, '.galley/skills/folder/SKILL.md'), { recursive: true });
    await writeFile(join(scratch, 'SECRET.md'), plain('secret'));
    await mkdir(join(folder, '.galley/skills/link'), { recursive: true });
    await symlink(join(scratch, 'SECRET.md'), join(folder, '.galley/skills/link/SKILL.md'));
    await mkdir(join(scratch, 'outside/evil'), { recursive: true });
    await writeFile(join(scratch, 'outside/evil/SKILL.md'), plain('evil'));
    await symlink(join(scratch, 'outside'), join(folder, '.claude'));
    await symlink(join(scratch, 'outside/evil'), join(folder, '.galley/skills/evil'));
    const { skills, warnings } = await loadSkillFolder(folder);
    expect(skills.map((skill) => skill.id)).toEqual(['good']);
    expect(warnings.map((warning) => `${warning.code} ${warning.details?.path}`)).toEqual([
      'SKILL_INVALID .galley/skills/broken/SKILL.md',
      'SKILL_REFUSED .galley/skills/evil/SKILL.md',
      'SKILL_REFUSED .galley/skills/folder/SKILL.md',
      'SKILL_REFUSED .galley/skills/large/SKILL.md',
      'SKILL_REFUSED .galley/skills/link/SKILL.md',
    ]);
    expect(JSON.stringify(warnings)).not.toContain(scratch);
  });

  it('answers with a warning when the folder does not exist', async () => {
    const answer = await loadSkillFolder(join(scratch, 'missing'));
    expect(answer.skills).toEqual([]);
    expect(answer.warnings).toHaveLength(1);
  });
});
