// Skill files of a folder as rows of the store, so that every assembly finds them by id. A row goes with its file.
import { isGalleyError } from '../../core/model/error.js';
import { loadSkillFolder } from '../../skills/load-skill-folder.js';
import { contextRulesJson } from '../../skills/skill.js';
import { maxSkillBytes, readSkillText } from '../../skills/skill-limits.js';
import type { Store } from '../../store/store.js';
import { readWithin } from './read-within.js';

const field = 'followedSkills';

/** Files that are no skill are left to whoever lists skills; here they are not there. */
export async function followSkills(store: Store, project: string, folder: string): Promise<void> {
  const { skills } = await loadSkillFolder(folder);
  const rows = (await store.skills.list(project)).filter(({ projectId }) => projectId === project);
  const known = new Map(rows.map((row) => [row.id, row]));
  const present: string[] = [];
  for (const { id, name, description, contextRules, path } of skills) {
    const source = path === undefined ? undefined : await sourceOf(folder, path);
    if (source === undefined) continue;
    present.push(id);
    if (known.get(id)?.source === source) continue;
    const rules = contextRulesJson(contextRules);
    await store.skills.put({ id, name, description, source, contextRules: rules, projectId: project });
  }
  const { settings } = await store.projects.get(project);
  const before = Array.isArray(settings[field]) ? settings[field].map(String) : [];
  for (const id of before) {
    if (!present.includes(id) && known.has(id)) await store.skills.delete(id, project);
  }
  if (JSON.stringify(before) !== JSON.stringify(present)) {
    await store.projects.put(project, { settings: { ...settings, [field]: present } });
  }
}

async function sourceOf(folder: string, path: string): Promise<string | undefined> {
  try {
    return readSkillText(await readWithin(folder, path, { mostBytes: maxSkillBytes })).text;
  } catch (error) {
    if (isGalleyError(error)) return undefined;
    throw error;
  }
}
