// The instructions of a SKILL.md: what its author wrote for the model, without the front matter.
import { readFile, stat } from 'node:fs/promises';
import { isAbsolute, posix, resolve } from 'node:path';
import { GalleyError, type Warning } from '../../core/model/error.js';
import { parseSkill } from '../../skills/parse-skill.js';
import { maxSkillBytes, readSkillText } from '../../skills/skill-limits.js';
import type { ReviewRoom } from '../changes/review-room.js';
import { readTreeFiles, trustedTree } from '../prune/project-file.js';
import { instructionsBefore } from './trusted-instructions.js';

export interface SkillInstructions {
  readonly instructions?: string;
  readonly warnings: readonly Warning[];
}

/** Of the file the caller names, or else of the one the repository's configuration names, which must stand in the repository. */
export async function instructionsFor(
  { request, config, repository, change }: Pick<ReviewRoom, 'request' | 'config' | 'repository' | 'change'>,
  folders: readonly string[],
): Promise<SkillInstructions> {
  if (request.skill !== undefined) {
    const before = await instructionsBefore({ change, repository }, request.skill, folders);
    if (before === undefined)
      return { instructions: await readInstructions(request.skill, folders), warnings: [] };
    const { text, warning } = before;
    return {
      ...(text === undefined ? {} : { instructions: instructionsOf(Buffer.from(text)) }),
      warnings: [warning],
    };
  }
  if (config.skill === undefined) return { warnings: [] };
  const path = posix.normalize(config.skill);
  const isInside = !posix.isAbsolute(path) && !isAbsolute(path) && !path.startsWith('..');
  const files = isInside ? await readTreeFiles(repository, trustedTree(change), [path]) : undefined;
  const file = files?.get(path);
  if (file !== undefined) return { instructions: instructionsOf(Buffer.from(file.text)), warnings: [] };
  throw new GalleyError('CONFIG_INVALID', 'galley.config: skill must name a file of this repository.', {
    details: { field: 'skill' },
  });
}

/** Relative paths are looked for in each of the folders, in their order. */
async function readInstructions(path: string, folders: readonly string[]): Promise<string> {
  const places = isAbsolute(path) ? [path] : folders.map((folder) => resolve(folder, path));
  for (const place of places) {
    const facts = await stat(place).catch(() => undefined);
    if (facts === undefined || !facts.isFile()) continue;
    if (facts.size > maxSkillBytes)
      throw new GalleyError('PAYLOAD_TOO_LARGE', `skill: the file holds more than ${maxSkillBytes} bytes.`);
    return instructionsOf(await readFile(place).catch(unreadable));
  }
  throw new GalleyError('FILE_UNREADABLE', 'skill: no such file; name the path of a SKILL.md.', {
    details: { field: 'skill' },
  });
}

function instructionsOf(bytes: Buffer): string {
  const { text } = readSkillText(bytes);
  // A file without front matter is nothing but instructions.
  if (!text.startsWith('---')) return text.trim();
  return parseSkill(bytes).prompt.system;
}

function unreadable(cause: unknown): never {
  throw new GalleyError('FILE_UNREADABLE', 'skill: the file cannot be read.', {
    details: { field: 'skill' },
    cause,
  });
}
