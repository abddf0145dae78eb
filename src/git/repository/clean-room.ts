// Where does git run unseen by the user's settings? In an empty git directory of our own that borrows the repository's objects:
// no config, attributes, hooks, filters, remotes or replacements reach it, and what we write never lands in the repository.
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sealedEnvironment } from '../process/environment.js';
import type { GitPlace } from '../process/run-git.js';

export interface CleanRoom extends GitPlace {
  readonly objects: string;
}

export interface CleanRoomNeeds {
  readonly gitDirectory: string;
  readonly objects: string;
  readonly objectFormat: string;
}

const config = (objectFormat: string) =>
  `[core]
	repositoryformatversion = ${objectFormat === 'sha1' ? 0 : 1}
	bare = true
	attributesFile = /dev/null
	quotePath = true
	bigFileThreshold = 512m
	looseCompression = 0
	deltaBaseCacheLimit = 32m
[gc]
	auto = 0
${objectFormat === 'sha1' ? '' : `[extensions]\n\tobjectFormat = ${objectFormat}\n`}`;

export async function openCleanRoom(needs: CleanRoomNeeds): Promise<CleanRoom> {
  const folder = await mkdtemp(join(tmpdir(), 'galley-git-'));
  const objects = join(folder, 'objects');
  await mkdir(join(objects, 'info'), { recursive: true });
  await mkdir(join(folder, 'refs'));
  await writeFile(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
  await writeFile(join(folder, 'config'), config(needs.objectFormat));
  await writeFile(join(objects, 'info', 'alternates'), `${quoteLine(needs.objects)}\n`);
  await copyFile(join(needs.gitDirectory, 'shallow'), join(folder, 'shallow')).catch(() => {});
  return { folder, objects, environment: sealedEnvironment(folder), settings: [] };
}

export async function closeCleanRoom(room: CleanRoom): Promise<void> {
  await rm(room.folder, { recursive: true, force: true, maxRetries: 3 });
}

function quoteLine(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}
