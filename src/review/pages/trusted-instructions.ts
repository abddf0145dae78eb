// Instructions a pull request has touched are the author's words, not the project's: the version before the change stands, or
// none at all.
import { realpath } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import type { Warning } from '../../core/model/error.js';
import type { ReviewRoom } from '../changes/review-room.js';
import { readTreeFiles, trustedTree } from '../prune/project-file.js';

export interface EarlierInstructions {
  /** Undefined where there were none before the change. */
  readonly text: string | undefined;
  readonly warning: Warning;
}

/** Undefined when the change leaves the file alone, so that it may be read as it stands. */
export async function instructionsBefore(
  { change, repository }: Pick<ReviewRoom, 'change' | 'repository'>,
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
