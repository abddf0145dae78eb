// Which skills does a folder bring along? Read-only, bounded, and never through a link that leaves the folder.
import { constants } from 'node:fs';
import { type FileHandle, open, readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { byCodePoint } from '../core/model/code-points.js';
import { isGalleyError, type Warning } from '../core/model/error.js';
import { parseSkill } from './parse-skill.js';
import type { Skill } from './skill.js';
import { maxSkillBytes } from './skill-limits.js';

/** Earlier folders win when two hold the same id. */
export const skillFolders = [
  '.galley/skills',
  '.writenow/skills',
  '.claude/skills',
  '.agents/skills',
] as const;

const maxSkillsPerFolder = 500;

export interface LoadedSkills {
  readonly skills: readonly Skill[];
  readonly warnings: readonly Warning[];
}

export async function loadSkillFolder(folder: string): Promise<LoadedSkills> {
  const skills = new Map<string, Skill>();
  const warnings: Warning[] = [];
  const root = await realpath(folder).catch(() => undefined);
  if (root === undefined) return { skills: [], warnings: [refused('.', 'the folder cannot be read')] };
  for (const place of skillFolders) {
    const names = await readdir(join(root, place)).catch(() => []);
    if (names.length > maxSkillsPerFolder)
      warnings.push(refused(place, `only ${maxSkillsPerFolder} entries are read`));
    for (const name of names.sort(byCodePoint).slice(0, maxSkillsPerFolder)) {
      const path = `${place}/${name}/SKILL.md`;
      const answer = await readSkill(root, path);
      if (answer === undefined) continue;
      if ('code' in answer) warnings.push(answer);
      else if (skills.has(answer.id))
        warnings.push(refused(path, `the id ${answer.id} is already taken`, 'SKILL_SHADOWED'));
      else skills.set(answer.id, answer);
    }
  }
  return { skills: [...skills.values()], warnings };
}

async function readSkill(root: string, path: string): Promise<Skill | Warning | undefined> {
  const place = await realpath(join(root, path)).catch(() => undefined);
  if (place === undefined) return undefined;
  if (!place.startsWith(root.endsWith(sep) ? root : root + sep))
    return refused(path, 'it is a link that leaves the folder');
  let handle: FileHandle | undefined;
  try {
    // Without O_NONBLOCK a named pipe would keep us waiting.
    handle = await open(place, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = await handle.stat();
    if (!stat.isFile()) return refused(path, 'it is not a regular file');
    if (stat.size > maxSkillBytes) return refused(path, `it is larger than ${maxSkillBytes} bytes`);
    const buffer = new Uint8Array(maxSkillBytes + 1);
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return parseSkill(buffer.subarray(0, filled), { path });
  } catch (error) {
    return refused(path, isGalleyError(error) ? error.message : 'it cannot be read', 'SKILL_INVALID');
  } finally {
    await handle?.close();
  }
}

function refused(path: string, why: string, code = 'SKILL_REFUSED'): Warning {
  return { code, message: `${code}: ${path} was not loaded: ${why}`, details: { path } };
}
