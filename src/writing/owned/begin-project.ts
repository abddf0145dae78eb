// A folder of chapters becomes a project: a list for constraints, whose folder it is, and the store abreast of both. What is there
// already stays.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GalleyError } from '../../core/model/error.js';
import type { Store } from '../../store/store.js';
import { type FollowedFolder, followFolder } from '../folder/follow-folder.js';
import { claimFolder, projectFolder } from '../folder/project-folder.js';
import { carryOverProject } from './change-folder.js';

export const constraintsPath = '.galley/constraints.md';

const starter = `# 创作约束 · Constraints

One rule for each line. They stand in every prompt, and \`galley write judge\` checks what can be checked.

## 叙述约束 · Narrative

## 角色约束 · Characters

## 世界观约束 · World

## 风格约束 · Style

## 情节约束 · Plot
`;

export async function beginProject(store: Store, project: string, folder: string): Promise<FollowedFolder> {
  if ((await projectFolder(store, project, folder)) === undefined)
    throw new GalleyError('FORBIDDEN', 'This folder belongs to another project of the store.');
  await makeConstraintList(folder);
  await claimFolder(store, project, folder);
  await followFolder(store, project, folder);
  await carryOverProject(store, project, folder);
  return followFolder(store, project, folder);
}

export async function makeConstraintList(folder: string): Promise<void> {
  const file = join(folder, constraintsPath);
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, starter, { flag: 'wx' });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST' && existsSync(file)) return;
    throw new GalleyError(
      'STORE_UNAVAILABLE',
      `${constraintsPath} cannot be written; check the rights of this folder.`,
      { cause },
    );
  }
}
