// What does .gitattributes say about many paths? Read from a tree, not from whatever is checked out.
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitPlace, readGit } from '../process/run-git.js';
import type { Repository } from '../repository/open-repository.js';

/** `true` set, `false` unset with a minus, a text when given a value, absent when not mentioned. */
export type AttributeValue = boolean | string;

export interface PathAttributes {
  readonly generated: boolean;
  readonly vendored: boolean;
  /** `-diff`, or the `binary` macro. */
  readonly noDiff: boolean;
  readonly binary: boolean;
  readonly text?: AttributeValue;
  readonly eol?: string;
}

const names = ['linguist-generated', 'linguist-vendored', 'diff', 'binary', 'text', 'eol'];

export interface AttributeQuestion {
  readonly tree: string;
  readonly paths: readonly { readonly path: string; readonly rawPath?: Buffer }[];
  readonly signal?: AbortSignal | undefined;
}

let indexes = 0;

const attributesFile = '.gitattributes';
/** More folders than these are left to git. */
const mostFolders = 200;

interface AttributeFiles extends Omit<AttributeQuestion, 'signal'> {
  /** Whether a file counts that lies in the working tree only. */
  readonly onDisk?: boolean;
}

/** Is there any file that could say something about these paths? Asked of the process that reads objects: most often there is none. */
export async function mayHaveAttributes(
  { objects, topLevel }: Repository,
  { tree, paths, onDisk = false }: AttributeFiles,
): Promise<boolean> {
  const folders = new Set(['']);
  for (const { path } of paths)
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  const isOdd = paths.some(({ path, rawPath }) => rawPath !== undefined || path.includes('\n'));
  if (isOdd || folders.size > mostFolders) return true;
  const files = [...folders].map((folder) => `${folder}${attributesFile}`);
  if ((await objects.present(tree, files)).length > 0) return true;
  if (!onDisk) return false;
  const stats = await Promise.all(
    files.map((file) => lstat(join(topLevel ?? '', file)).catch(() => undefined)),
  );
  return stats.some((fact) => fact !== undefined);
}

/** By path, for every path asked about. */
export async function readAttributes(
  repository: Repository,
  question: AttributeQuestion,
): Promise<Map<string, PathAttributes>> {
  const { paths, signal } = question;
  const answers = new Map<string, PathAttributes>();
  if (paths.length === 0) return answers;
  if (!(await mayHaveAttributes(repository, question))) {
    for (const { path } of paths) answers.set(path, summarise({}));
    return answers;
  }
  const place = await treeAsIndex(repository, question);
  const input = [
    Buffer.concat(paths.flatMap(({ path, rawPath }) => [rawPath ?? Buffer.from(path), Buffer.of(0)])),
  ];
  const args = ['check-attr', '--cached', '-z', '--stdin', ...names];
  const { output } = await readGit(place, args, { input, signal });
  const fields = output.toString('utf8').split('\0');
  // Answers come in the order of the paths, each path with all names; an answer is path, name and value.
  paths.forEach(({ path }, index) => {
    const values: Record<string, AttributeValue> = {};
    names.forEach((name, position) => {
      const value = fields[(index * names.length + position) * 3 + 2] ?? 'unspecified';
      if (value !== 'unspecified') values[name] = value === 'set' ? true : value === 'unset' ? false : value;
    });
    answers.set(path, summarise(values));
  });
  return answers;
}

async function treeAsIndex(repository: Repository, { tree, signal }: AttributeQuestion): Promise<GitPlace> {
  indexes += 1;
  const { cleanRoom } = repository;
  const file = join(cleanRoom.folder, `attributes-${indexes}`);
  const place = { ...cleanRoom, environment: { ...cleanRoom.environment, GIT_INDEX_FILE: file } };
  await readGit(place, ['read-tree', tree], { signal });
  return place;
}

function summarise(values: Readonly<Record<string, AttributeValue>>): PathAttributes {
  const on = (name: string) => values[name] === true || values[name] === 'true';
  const { text, eol } = values;
  return {
    generated: on('linguist-generated'),
    vendored: on('linguist-vendored'),
    noDiff: values.diff === false,
    binary: on('binary'),
    ...(text === undefined ? {} : { text }),
    ...(typeof eol === 'string' ? { eol } : {}),
  };
}
