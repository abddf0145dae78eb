// Which repository does a path belong to? Gives the handle every other part of this room works on.
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { GalleyError } from '../../core/model/error.js';
import { ObjectReader } from '../objects/object-reader.js';
import { userEnvironment } from '../process/environment.js';
import { askGit, type GitPlace } from '../process/run-git.js';
import { type CleanRoom, closeCleanRoom, openCleanRoom } from './clean-room.js';

/** Programs and writes that a reading call must not start. */
const settings = [
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.splitIndex=false',
  'core.hooksPath=/dev/null',
  'core.safecrlf=false',
  'core.looseCompression=0',
  'core.quotePath=true',
  'core.pager=cat',
  'advice.addEmbeddedRepo=false',
  'color.ui=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'filter.lfs.clean=',
  'filter.lfs.smudge=',
  'filter.lfs.process=',
  'filter.lfs.required=false',
].flatMap((setting) => ['-c', setting]);

export interface RepositoryFacts {
  /** Undefined in a bare repository. */
  readonly topLevel: string | undefined;
  readonly gitDirectory: string;
  readonly objectFormat: 'sha1' | 'sha256';
  readonly shallow: boolean;
}

export class Repository implements RepositoryFacts {
  readonly topLevel: string | undefined;
  readonly gitDirectory: string;
  readonly objectFormat: 'sha1' | 'sha256';
  readonly shallow: boolean;
  /** Names, index and working tree are read here, under the user's own config. */
  readonly home: GitPlace;
  /** Everything that has an object id is read here. */
  readonly cleanRoom: CleanRoom;
  readonly objects: ObjectReader;

  constructor(facts: RepositoryFacts, home: GitPlace, cleanRoom: CleanRoom) {
    this.topLevel = facts.topLevel;
    this.gitDirectory = facts.gitDirectory;
    this.objectFormat = facts.objectFormat;
    this.shallow = facts.shallow;
    this.home = home;
    this.cleanRoom = cleanRoom;
    this.objects = new ObjectReader(cleanRoom);
  }

  async close(): Promise<void> {
    await this.objects.close();
    await closeCleanRoom(this.cleanRoom);
  }
}

export async function openRepository(path: string): Promise<Repository> {
  const folder = await realFolder(path);
  const asked: GitPlace = { folder, environment: userEnvironment(), settings };
  const flags = ['--is-inside-work-tree', '--is-shallow-repository', '--show-object-format'];
  const [inWorkTree, shallow, format] = ((await askGit(asked, ['rev-parse', ...flags])) ?? '').split('\n');
  // A path may hold a line end, so each has a call of its own.
  const [topLevel, gitDirectory, objects] = await Promise.all([
    inWorkTree === 'true' ? askGit(asked, ['rev-parse', '--show-toplevel']) : undefined,
    askGit(asked, ['rev-parse', '--absolute-git-dir']),
    askGit(asked, ['rev-parse', '--path-format=absolute', '--git-path', 'objects']),
  ]);
  if (gitDirectory === undefined || objects === undefined) throw notARepository();
  const facts: RepositoryFacts = {
    topLevel,
    gitDirectory,
    objectFormat: format === 'sha256' ? 'sha256' : 'sha1',
    shallow: shallow === 'true',
  };
  const cleanRoom = await openCleanRoom({ gitDirectory, objects, objectFormat: facts.objectFormat });
  return new Repository(facts, { ...asked, folder: topLevel ?? gitDirectory }, cleanRoom);
}

async function realFolder(path: string): Promise<string> {
  if (path.includes('\0')) throw notARepository();
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : join(real, '..');
  } catch (cause) {
    throw notARepository(cause);
  }
}

function notARepository(cause?: unknown): GalleyError {
  return new GalleyError(
    'NOT_A_REPOSITORY',
    'The path is not inside a git repository; name a folder of one.',
    {
      cause,
    },
  );
}
