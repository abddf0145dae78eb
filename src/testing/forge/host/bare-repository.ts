// The repository a forge keeps: bare, on disk, made and read with real git. Branches of forks live in it under names that are never
// shown, as the objects of a fork network do.
import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sealedEnvironment } from '../../../git/process/environment.js';
import { askGit, readGit } from '../../../git/process/run-git.js';

export interface BareRepository {
  readonly gitDirectory: string;
  git(args: readonly string[], options?: GitOptions): Promise<string>;
  /** Undefined where there is no such commit. */
  commitOf(name: string): Promise<string | undefined>;
  isAncestor(ancestor: string, commit: string): Promise<boolean>;
  mergeBase(one: string, other: string): Promise<string | undefined>;
  /** A commit with these files on top of another; no branch moves. */
  writeCommit(change: NewCommit): Promise<string>;
  /** Objects that a repository on this machine has. */
  takeFrom(folder: string, names: readonly string[]): Promise<void>;
  setRef(name: string, commit: string): Promise<void>;
  deleteRef(name: string): Promise<void>;
  /** What no name leads to is gone. */
  prune(): Promise<void>;
}

export interface GitOptions {
  readonly input?: string | Buffer;
  readonly environment?: Readonly<Record<string, string>>;
  readonly accept?: readonly number[];
}

export interface NewCommit {
  readonly parents: readonly string[];
  /** `null` removes a file. */
  readonly files: Readonly<Record<string, string | Buffer | null>>;
  /** Instead of the files of its parent. */
  readonly tree?: string;
  readonly message: string;
  readonly author: string;
  readonly date: Date;
}

/** Any commit is given out by its id as the real hosts do, and no branch of a fork by its name. */
const settings = (anyCommit: boolean) => `[gc]
	auto = 0
[uploadpack]
	allowAnySHA1InWant = ${anyCommit}
	allowFilter = true
	hideRefs = refs/forks
[http]
	receivepack = false
`;

export async function bareRepository(
  root: string,
  { name, anyCommit }: { readonly name: string; readonly anyCommit: boolean },
): Promise<BareRepository> {
  const gitDirectory = join(root, `${name}.git`);
  await mkdir(gitDirectory, { recursive: true });
  const place = (environment: GitOptions['environment'] = {}) => ({
    folder: gitDirectory,
    environment: sealedEnvironment(gitDirectory, { GIT_ALLOW_PROTOCOL: 'file', ...environment }),
    settings: [],
  });
  const git: BareRepository['git'] = async (args, { input, environment, accept } = {}) => {
    const call = { ...(input === undefined ? {} : { input: [input] }), ...(accept && { accept }) };
    const { output } = await readGit(place(environment), args, call);
    return output.toString('utf8');
  };
  const ask = async (args: readonly string[]) => await askGit(place(), args, { accept: [1, 128] });
  const known = new Map<string, Promise<string | undefined>>();
  /** What is said of whole ids of commits stays true as long as they are there. */
  const once = (args: readonly string[], run = ask) => {
    const key = args.join(' ');
    const found = known.get(key) ?? run(args);
    known.set(key, found);
    return found;
  };
  await git(['init', '--quiet', '--bare', '--template=', '--initial-branch=main', gitDirectory]);
  await appendFile(join(gitDirectory, 'config'), settings(anyCommit));
  return {
    gitDirectory,
    git,
    async commitOf(name) {
      const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
      const found = await (isId(name) ? once(args) : ask(args));
      // It may still come.
      if (found === undefined) known.delete(args.join(' '));
      return found;
    },
    isAncestor: async (ancestor, commit) =>
      (await once(['merge-base', '--is-ancestor', ancestor, commit], async (args) =>
        String((await readGit(place(), args, { accept: [1] })).exit),
      )) === '0',
    mergeBase: (one, other) => once(['merge-base', one, other]),
    writeCommit: (change) => writeCommit(git, change),
    async takeFrom(folder, names) {
      const specs = names.map((name, at) => `+${name}:refs/taken/${at}`);
      await git([
        'fetch',
        '--quiet',
        '--no-tags',
        '--no-write-fetch-head',
        '--update-shallow',
        folder,
        ...specs,
      ]);
      for (const at of names.keys()) await git(['update-ref', '-d', `refs/taken/${at}`]);
    },
    async setRef(name, commit) {
      await git(['update-ref', name, commit]);
    },
    async deleteRef(name) {
      await git(['update-ref', '-d', name]);
    },
    async prune() {
      known.clear();
      await git(['gc', '--quiet', '--prune=now']);
    },
  };
}

function isId(name: string): boolean {
  return /^[0-9a-f]{40}$/.test(name);
}

const scripted = 'refs/scripted/commit';
const nothing = '0'.repeat(40);

/** By one process, whatever the number of files; no name is left behind. */
async function writeCommit(git: BareRepository['git'], change: NewCommit): Promise<string> {
  const who = `${change.author} <${change.author}@example.com> ${Math.floor(change.date.getTime() / 1000)} +0000`;
  const [parent, ...others] = change.parents;
  const parts: (string | Buffer)[] = [
    `commit ${scripted}\nmark :1\nauthor ${who}\ncommitter ${who}\n`,
    ...dataOf(change.message),
    ...(parent === undefined ? [] : [`from ${parent}\n`]),
    ...others.map((each) => `merge ${each}\n`),
    ...(change.tree === undefined ? [] : [`M 040000 ${change.tree} ""\n`]),
    ...Object.entries(change.files).flatMap(([path, content]) =>
      content === null ? [`D ${quoted(path)}\n`] : [`M 100644 inline ${quoted(path)}\n`, ...dataOf(content)],
    ),
    `\nget-mark :1\nreset ${scripted}\nfrom ${nothing}\n\n`,
  ];
  const input = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return (await git(['fast-import', '--quiet', '--force'], { input })).trim();
}

function dataOf(content: string | Buffer): (string | Buffer)[] {
  return [`data ${Buffer.byteLength(content)}\n`, content, '\n'];
}

function quoted(path: string): string {
  return `"${path.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}
