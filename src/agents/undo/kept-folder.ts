// The state of a whole folder, kept by a git of our own beside it: every file, untracked and ignored ones too, byte for byte, without
// a look at the settings and filters of the user's repository. What did not change since the last time is not read again.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  copyFile,
  cp,
  lstat,
  mkdir,
  readdir,
  realpath,
  rename,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { sealedEnvironment, userEnvironment } from '../../git/process/environment.js';
import { askGit, type GitPlace, readGit } from '../../git/process/run-git.js';

/** A file as git names one: mode and content. Mode 0 stands for no file. */
export interface KeptFile {
  readonly mode: '000000' | '100644' | '100755' | '120000';
  readonly blob: string;
}

export interface KeptChange {
  /** Bytes of the path below the folder, one character each. */
  readonly path: string;
  readonly before: KeptFile;
  readonly after: KeptFile;
}

export interface KeptState {
  readonly tree: string;
  /** What is too large or cannot be read, and the history of repositories inside. */
  readonly skipped: number;
}

export interface KeptFolder {
  readonly folder: string;
  /** Where the log of turns stands. */
  readonly home: string;
  /** Whether the folder lies in a repository of git. */
  readonly isInGit: boolean;
  /** Whether a state was kept before; the first time takes as long as reading everything. */
  readonly isKnown: boolean;
  keep(signal?: AbortSignal): Promise<KeptState>;
  changes(before: string, after: string): Promise<KeptChange[]>;
  read(blob: string): Promise<Buffer>;
  /** A text beside the states, held like one of them. */
  keepText(text: Buffer): Promise<string>;
  /** Keeps these states and texts from being cleaned up, and lets go of all others. */
  holdOnly(objects: readonly string[]): Promise<void>;
}

const refOf = (object: string) => `refs/states/${object}`;

/** A model or a film in the folder is not copied; the caller says so. */
const largestFile = 256 * 1024 * 1024;

const settings = [
  ['core.bare', 'false'],
  ['core.compression', '1'],
  ['core.autocrlf', 'false'],
  ['core.fileMode', 'true'],
  ['core.symlinks', 'true'],
  ['core.ignoreCase', 'false'],
  ['core.precomposeUnicode', 'false'],
  ['core.protectNTFS', 'false'],
  ['core.fsyncMethod', 'batch'],
  ['gc.auto', '0'],
].flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** Stronger than any .gitattributes in the folder. */
const bytesAsTheyAre = '* -text -eol -filter -ident -working-tree-encoding\n';

export async function openKeptFolder(folder: string): Promise<KeptFolder> {
  const { home, isInGit } = await homeOf(folder);
  const gitDirectory = join(home, 'states.git');
  const place = (index: string): GitPlace => ({
    folder,
    settings,
    environment: sealedEnvironment(gitDirectory, { GIT_WORK_TREE: folder, GIT_INDEX_FILE: index }),
  });
  const shared = join(gitDirectory, 'index');

  return {
    folder,
    home,
    isInGit,
    isKnown: existsSync(shared),
    async keep(signal) {
      const index = join(gitDirectory, `index-${randomBytes(6).toString('hex')}`);
      const own = place(index);
      if (!existsSync(join(gitDirectory, 'info', 'attributes'))) await prepare(gitDirectory, folder);
      try {
        // Two agents in one folder keep their states side by side; each begins with what was known last.
        await copyIndex(shared, index).catch(() => undefined);
        const known = (await readGit(own, ['ls-files', '-z'])).output;
        const { paths, skipped } = await filesBelow(folder, home);
        const input = [known, ...paths.map((path) => Buffer.from(`${path}\0`, 'latin1'))];
        await readGit(own, ['update-index', '-z', '--add', '--remove', '--replace', '--stdin'], {
          input,
          signal,
        });
        const tree = (await askGit(own, ['write-tree'])) ?? '';
        await askGit(own, ['update-ref', refOf(tree), tree]);
        await rename(index, shared);
        return { tree, skipped };
      } finally {
        await Promise.all([index, `${index}.lock`].map((path) => rm(path, { force: true })));
      }
    },
    async changes(before, after) {
      const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--full-index', before, after];
      const found = parseChanges((await readGit(place(shared), args)).output);
      return found.filter(({ path }) => !ownStore.test(path));
    },
    read: async (blob) => (await readGit(place(shared), ['cat-file', 'blob', blob])).output,
    async keepText(text) {
      const blob = (await askGit(place(shared), ['hash-object', '-w', '--stdin'], { input: [text] })) ?? '';
      await askGit(place(shared), ['update-ref', refOf(blob), blob]);
      return blob;
    },
    async holdOnly(objects) {
      const wanted = new Set(objects.map(refOf));
      const { output } = await readGit(place(shared), [
        'for-each-ref',
        '--format=%(refname)',
        'refs/states/',
      ]);
      const gone = output
        .toString('latin1')
        .split('\n')
        .filter((ref) => ref !== '' && !wanted.has(ref));
      if (gone.length === 0) return;
      const input = gone.map((ref) => `delete ${ref}\n`);
      await readGit(place(shared), ['update-ref', '--stdin'], { input });
      // Another turn may be writing a state that nothing refers to yet.
      await readGit(place(shared), ['prune', '--expire=1.hour.ago']);
    },
  };
}

/**
 * Git trusts a file's times only where they are older than the index itself, so a copy must not be younger than what it is a
 * copy of.
 */
async function copyIndex(from: string, to: string): Promise<void> {
  const { mtimeMs } = await lstat(from);
  await copyFile(from, to);
  const second = Math.floor(mtimeMs / 1000);
  await utimes(to, second, second);
}

/**
 * In the git directory of the repository, where nobody commits or cleans it by mistake. Without one outside of the folder, since
 * agents tell their models what stands in it, and what changes with every turn would break the prefix of the next.
 */
async function homeOf(folder: string): Promise<Pick<KeptFolder, 'home' | 'isInGit'>> {
  const asked = { folder, settings: [], environment: userEnvironment() };
  const found = await askGit(asked, ['rev-parse', '--absolute-git-dir', '--show-prefix']).catch(
    () => undefined,
  );
  const [gitDirectory, prefix = ''] = found?.split('\n') ?? [];
  if (gitDirectory === undefined) return { home: await homeOutside(folder), isInGit: false };
  const part = prefix === '' ? 'whole' : prefix.replace(/\/$/, '');
  const home = join(gitDirectory, 'galley', 'agent', Buffer.from(part).toString('base64url'));
  return { home, isInGit: true };
}

async function homeOutside(folder: string, environment: NodeJS.ProcessEnv = process.env): Promise<string> {
  const inside = join(folder, '.galley', 'agent');
  const state = environment.XDG_STATE_HOME || join(homedir(), '.local', 'state');
  const name = createHash('sha256')
    .update(await realpath(folder))
    .digest('hex')
    .slice(0, 16);
  const home = join(state, 'galley', 'undo', name);
  if (existsSync(home)) return home;
  try {
    await mkdir(dirname(home), { recursive: true, mode: 0o700 });
    // What was kept inside by an earlier version can still be undone.
    if (existsSync(inside)) await moveFolder(inside, home);
    else await mkdir(home, { mode: 0o700 });
    return home;
  } catch {
    // Nobody can write there, or two were here at once.
    return existsSync(home) ? home : inside;
  }
}

/** Whole or not at all, also onto another disk. */
async function moveFolder(from: string, to: string): Promise<void> {
  const beside = `${to}.${randomBytes(4).toString('hex')}`;
  try {
    await cp(from, beside, { recursive: true, preserveTimestamps: true });
    await rename(beside, to);
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
  await rm(from, { recursive: true, force: true });
}

async function prepare(gitDirectory: string, folder: string): Promise<void> {
  const place = { folder, settings: [], environment: sealedEnvironment(gitDirectory) };
  await mkdir(gitDirectory, { recursive: true, mode: 0o700 });
  await readGit(place, ['init', '--quiet', '--bare', '--template=', gitDirectory]);
  await mkdir(join(gitDirectory, 'info'), { recursive: true });
  // Last, since it says that everything is there.
  await writeFile(join(gitDirectory, 'info', 'attributes'), bytesAsTheyAre);
}

interface FoundFiles {
  readonly paths: readonly string[];
  readonly skipped: number;
}

/** Every file and link, whatever git would ignore, but nothing of git itself or of our own store, which no undo may touch. */
async function filesBelow(folder: string, home: string): Promise<FoundFiles> {
  const paths: string[] = [];
  let skipped = 0;
  const own = Buffer.from(relative(folder, home).split(sep).join('/')).toString('latin1');
  const walk = async (below: string): Promise<void> => {
    const found = { withFileTypes: true, encoding: 'buffer' } as const;
    const entries = await readdir(placeOf(folder, below), found).catch(() => undefined);
    if (entries === undefined) skipped += 1;
    for (const entry of entries ?? []) {
      const name = entry.name.toString('latin1');
      const path = below === '' ? name : `${below}/${name}`;
      // Git keeps no git: of a repository inside, only the files come back.
      if (name === '.git' && below !== '') skipped += 1;
      if (name === '.git' || path === own || ownStore.test(path)) continue;
      if (entry.isDirectory()) await walk(path);
      else if (entry.isSymbolicLink()) paths.push(path);
      else if (entry.isFile()) {
        const { size, mode } = await lstat(placeOf(folder, path)).catch(() => gone);
        if (size <= largestFile && (mode & readable) !== 0) paths.push(path);
        else skipped += 1;
      }
    }
  };
  await walk('');
  return { paths, skipped };
}

/** Rooms and receipts are no work of an agent, and other processes have the file open. */
const ownStore = /(?:^|\/)\.galley\/galley\.db[^/]*$/;

const readable = 0o444;
/** Git finds out by itself. */
const gone = { size: 0, mode: readable };

/** A path of git's below the folder, as the system takes it. */
export function placeOf(folder: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')]);
}

function parseChanges(output: Buffer): KeptChange[] {
  const fields = output.toString('latin1').split('\0');
  const changes: KeptChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [before = '', after = '', from = '', to = ''] = (fields[at] ?? '').slice(1).split(' ');
    changes.push({
      path: fields[at + 1] ?? '',
      before: { mode: before as KeptFile['mode'], blob: from },
      after: { mode: after as KeptFile['mode'], blob: to },
    });
  }
  return changes;
}
