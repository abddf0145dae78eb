// The instructions of a SKILL.md: what its author wrote for the model, without the front matter. Those a pull request has touched
// are its author's words, not the project's: the version before the change stands, or none at all.
import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, posix, relative, resolve, sep } from 'node:path';
import { GalleyError, type Warning } from '../../core/model/error.js';
import { parseSkill } from '../../skills/parse-skill.js';
import { maxSkillBytes, readSkillText } from '../../skills/skill-limits.js';
import type { ReviewContext } from '../change/open-review.js';
import { readTreeFiles, trustedTree } from '../change/trusted-files.js';

export interface SkillInstructions {
  readonly instructions?: string;
  readonly warnings: readonly Warning[];
}

/**
 * Of the file the caller names, or else of the one the repository's configuration names, which must stand in the repository,
 * or in the commit that a shared configuration comes from.
 */
export async function instructionsFor(
  {
    request,
    config,
    repository,
    change,
  }: Pick<ReviewContext, 'request' | 'config' | 'repository' | 'change'>,
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
  const tree = config.skillFrom ?? trustedTree(change);
  const files = isInside ? await readTreeFiles(repository, tree, [path]) : undefined;
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

interface EarlierInstructions {
  /** Undefined where there were none before the change. */
  readonly text: string | undefined;
  readonly warning: Warning;
}

/** Undefined when the change leaves the file alone, so that it may be read as it stands. */
async function instructionsBefore(
  { change, repository }: Pick<ReviewContext, 'change' | 'repository'>,
  skill: string,
  folders: readonly string[],
): Promise<EarlierInstructions | undefined> {
  if (change.mode !== 'pr' || repository.topLevel === undefined) return undefined;
  const top = await realpath(repository.topLevel);
  const places = new Set<string>();
  for (const from of folders) {
    const place = resolve(from, skill);
    const real = await realpath(place).catch(() => undefined);
    for (const each of real === undefined ? [] : [place, real]) {
      const inside = relative(top, each).split(sep).join('/');
      if (!inside.startsWith('../') && inside !== '') places.add(inside);
    }
  }
  const touched = new Set(
    change.entries.flatMap(({ path, oldPath }) => [path, ...(oldPath === undefined ? [] : [oldPath])]),
  );
  const isTouched = (path: string) => touched.has(path) || foldersOf(path).some((each) => touched.has(each));
  if (![...places].some(isTouched)) return undefined;
  const files = await readTreeFiles(repository, trustedTree(change), [...places]);
  const before = [...places].map((place) => files.get(place)?.text).find((text) => text !== undefined);
  const fate = before === undefined ? 'it was left out' : 'the version before the change was used';
  return {
    text: before,
    warning: {
      code: 'INSTRUCTIONS_NOT_TRUSTED',
      message: `The skill is part of the change under review; ${fate}.`,
    },
  };
}

function foldersOf(path: string): string[] {
  const segments = path.split('/').slice(0, -1);
  return segments.map((_, at) => segments.slice(0, at + 1).join('/'));
}
