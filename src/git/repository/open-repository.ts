// Which repository does a path belong to? Gives the handle every other part of this room works on.
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { GalleyError } from '../../core/model/error.js';
import { ObjectReader } from '../objects/object-reader.js';
import { userEnvironment } from '../process/environment.js';
import { askGit, type GitPlace, readGit } from '../process/run-git.js';
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
  const { objects, ...facts } = (await findAtOnce(asked)) ?? (await findOneByOne(asked));
  const { topLevel, gitDirectory, objectFormat } = facts;
  const cleanRoom = await openCleanRoom({ gitDirectory, objects, objectFormat });
  return new Repository(facts, { ...asked, folder: topLevel ?? gitDirectory }, cleanRoom);
}

const flags = ['--is-inside-work-tree', '--is-shallow-repository', '--show-object-format'];
const objectsPath = ['--path-format=absolute', '--git-path', 'objects'];

interface Found extends RepositoryFacts {
  readonly objects: string;
}

/** One call for all, as long as every answer is one line; git says the last one only where there is a work tree. */
async function findAtOnce(asked: GitPlace): Promise<Found | undefined> {
  const args = ['rev-parse', ...flags, '--absolute-git-dir', ...objectsPath, '--show-toplevel'];
  const { output, exit } = await readGit(asked, args, { accept: [128] });
  const lines = output.toString('utf8').split(/\r?\n/);
  const [inWorkTree, shallow, format, gitDirectory = '', objects = '', topLevel] = lines;
  const isWhole = exit === 0 && inWorkTree === 'true' && lines.length === 7;
  const isBare = exit === 128 && inWorkTree === 'false' && lines.length === 6;
  if (!isWhole && !isBare) return undefined;
  return { ...factsOf(shallow, format), gitDirectory, objects, topLevel: isWhole ? topLevel : undefined };
}

/** A path may hold a line end, so each has a call of its own; what git refuses, it explains here. */
async function findOneByOne(asked: GitPlace): Promise<Found> {
  const [inWorkTree, shallow, format] = ((await askGit(asked, ['rev-parse', ...flags])) ?? '').split('\n');
  const [topLevel, gitDirectory, objects] = await Promise.all([
    inWorkTree === 'true' ? askGit(asked, ['rev-parse', '--show-toplevel']) : undefined,
    askGit(asked, ['rev-parse', '--absolute-git-dir']),
    askGit(asked, ['rev-parse', ...objectsPath]),
  ]);
  if (gitDirectory === undefined || objects === undefined) throw notARepository();
  return { ...factsOf(shallow, format), gitDirectory, objects, topLevel };
}

function factsOf(shallow = '', format = ''): Pick<RepositoryFacts, 'shallow' | 'objectFormat'> {
  return { shallow: shallow === 'true', objectFormat: format === 'sha256' ? 'sha256' : 'sha1' };
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
