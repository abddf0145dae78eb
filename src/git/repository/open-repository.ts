// Which repository does a path belong to? Gives the handle every other part of this room works on.
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { GalleyError } from '../../core/model/error.js';
import { userEnvironment } from '../process/environment.js';
import { askGit, type GitPlace, readGit } from '../process/run-git.js';
import {
  type CleanRoom,
  closeCleanRoom,
  openCleanRoom,
  openHome,
  readCarriedSettings,
} from './clean-room.js';
import { ObjectReader } from './object-reader.js';

export interface RepositoryFacts {
  /** Undefined in a bare repository. */
  readonly topLevel: string | undefined;
  readonly gitDirectory: string;
  readonly objectFormat: 'sha1' | 'sha256';
  readonly shallow: boolean;
}

interface RepositoryPlaces {
  readonly home: GitPlace;
  readonly cleanRoom: CleanRoom;
  readonly filters: ReadonlySet<string>;
}

export class Repository implements RepositoryFacts {
  readonly topLevel: string | undefined;
  readonly gitDirectory: string;
  readonly objectFormat: 'sha1' | 'sha256';
  readonly shallow: boolean;
  /** Names, index and working tree are read here, under those settings of the user's that start no program. */
  readonly home: GitPlace;
  /** Names of filters that the user's config has a program for; they are never run. */
  readonly filters: ReadonlySet<string>;
  /** Everything that has an object id is read here. */
  readonly cleanRoom: CleanRoom;
  readonly objects: ObjectReader;

  constructor(facts: RepositoryFacts, { home, cleanRoom, filters }: RepositoryPlaces) {
    this.topLevel = facts.topLevel;
    this.gitDirectory = facts.gitDirectory;
    this.objectFormat = facts.objectFormat;
    this.shallow = facts.shallow;
    this.home = home;
    this.filters = filters;
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
  const asked: GitPlace = { folder, environment: userEnvironment(), settings: [] };
  const [found, { text: carried, filters }] = await Promise.all([
    findRepository(asked),
    readCarriedSettings(asked),
  ]);
  const cleanRoom = await openCleanRoom(found);
  const home = await openHome(cleanRoom, { ...found, carried });
  return new Repository(found, { home, cleanRoom, filters });
}

const flags = ['--is-inside-work-tree', '--is-shallow-repository', '--show-object-format'];
const commonPath = ['--path-format=absolute', '--git-common-dir'];

interface Found extends RepositoryFacts {
  readonly commonDirectory: string;
}

export async function findRepository(asked: GitPlace): Promise<Found> {
  return (await findAtOnce(asked)) ?? findOneByOne(asked);
}

/** One call for all, as long as every answer is one line; git says the last one only where there is a work tree. */
async function findAtOnce(asked: GitPlace): Promise<Found | undefined> {
  const args = ['rev-parse', ...flags, '--absolute-git-dir', ...commonPath, '--show-toplevel'];
  const { output, exit } = await readGit(asked, args, { accept: [128] });
  const lines = output.toString('utf8').split(/\r?\n/);
  const [inWorkTree, shallow, format, gitDirectory = '', commonDirectory = '', topLevel] = lines;
  const isWhole = exit === 0 && inWorkTree === 'true' && lines.length === 7;
  const isBare = exit === 128 && inWorkTree === 'false' && lines.length === 6;
  if (!isWhole && !isBare) return undefined;
  const places = { gitDirectory, commonDirectory, topLevel: isWhole ? topLevel : undefined };
  return { ...factsOf(shallow, format), ...places };
}

/** A path may hold a line end, so each has a call of its own; what git refuses, it explains here. */
async function findOneByOne(asked: GitPlace): Promise<Found> {
  const [inWorkTree, shallow, format] = ((await askGit(asked, ['rev-parse', ...flags])) ?? '').split('\n');
  const [topLevel, gitDirectory, commonDirectory] = await Promise.all([
    inWorkTree === 'true' ? askGit(asked, ['rev-parse', '--show-toplevel']) : undefined,
    askGit(asked, ['rev-parse', '--absolute-git-dir']),
    askGit(asked, ['rev-parse', ...commonPath]),
  ]);
  if (gitDirectory === undefined || commonDirectory === undefined) throw notARepository();
  return { ...factsOf(shallow, format), gitDirectory, commonDirectory, topLevel };
}

function factsOf(shallow = '', format = ''): Pick<RepositoryFacts, 'shallow' | 'objectFormat'> {
  return { shallow: shallow === 'true', objectFormat: format === 'sha256' ? 'sha256' : 'sha1' };
}

export async function realFolder(path: string): Promise<string> {
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

export interface LentRepository {
  open(): Promise<Repository>;
  close(): Promise<void>;
}

/**
 * One repository for several readers, one after another or at once: opened when first asked for, closed by who lends it.
 */
export function lentRepository(folder: string): LentRepository {
  let opened: Promise<Repository> | undefined;
  return {
    open: () => {
      opened ??= openRepository(folder);
      return opened;
    },
    close: async () => {
      const repository = await opened?.catch(() => undefined);
      await repository?.close();
    },
  };
}
