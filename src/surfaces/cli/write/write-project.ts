// What every `galley write` command stands on: the folder as a project, its store, and the operations. Commands that only read
// never make a file.
import { readdir } from 'node:fs/promises';
import { isGalleyError } from '../../../core/model/error.js';
import { call } from '../../../operations/call.js';
import type { OperationContext } from '../../../operations/operation.js';
import type { AnswerOf, OperationId } from '../../../operations/table.js';
import type { Store } from '../../../store/store.js';
import { isCardFolder, readChapters } from '../../../writing/folder/chapter-files.js';
import { type FollowedFolder, followFolder } from '../../../writing/folder/follow-folder.js';
import { claimFolder, ownsFolder, projectFolder } from '../../../writing/folder/project-folder.js';
import { carryOverProject } from '../../../writing/owned/change-folder.js';
import { exportedStore, isThere, storePath } from '../../shared-store.js';
import { type LocalContext, localContext, projectHere } from '../shell/local-context.js';
import { say, sayWarnings } from '../terminal/talk.js';
import { word } from '../words/word.js';
import { carriedWords } from './carried-words.js';

export interface WriteOptions {
  readonly project?: string;
  readonly store?: string;
  readonly json?: boolean;
}

/** What one call does differently. */
export type CallChange = Partial<
  Pick<
    OperationContext,
    'debug' | 'onText' | 'onProgress' | 'onEstimate' | 'onOutlook' | 'onSpending' | 'sentHere'
  >
>;

export interface WriteProject {
  readonly id: string;
  readonly folder: string;
  readonly json: boolean;
  /** Whether there is a store that lasts. */
  readonly isKept: boolean;
  store(): Promise<Store>;
  call<Id extends OperationId>(id: Id, request?: object, change?: CallChange): Promise<AnswerOf<Id>>;
  /** Brings the store abreast of the folder; undefined when the folder belongs to another project. */
  follow(): Promise<FollowedFolder | undefined>;
  /** What only the store knew goes into files, once, and is told in one line. Gives what rows are called now. */
  carryOver(how?: 'quietly'): Promise<ReadonlyMap<string, string>>;
}

/** What is changed must be there already, and who works on a chapter needs one: where nothing is, the folder stays as it is. */
type Kind = 'reads' | 'writes' | 'changes' | 'works-on-chapters';

export async function withWriteProject(
  options: WriteOptions,
  kind: Kind,
  work: (project: WriteProject) => Promise<void>,
): Promise<void> {
  const folder = process.cwd();
  const named = options.store ?? exportedStore();
  const path = storePath(folder, options.store);
  const isKept = kind === 'writes' || isThere(path) || (kind !== 'reads' && (await isBegun(folder, kind)));
  const store = isKept ? named : ':memory:';
  const context = localContext(store === undefined ? {} : { store });
  try {
    const place = { isInside: named === undefined };
    const id = options.project ?? (await projectHere(context.store, folder, place));
    await work({
      ...{ id, folder, isKept, json: options.json === true },
      store: () => context.store(),
      call: async <Id extends OperationId>(operation: Id, request: object = {}, change: CallChange = {}) =>
        (await call(operation, { projectId: id, ...request }, { ...context, ...change })) as AnswerOf<Id>,
      follow: () => follow(context, { id, folder, kind }),
      carryOver: (how) =>
        carryOver(context, { id, folder, isQuiet: options.json === true || how === 'quietly' }),
    });
  } finally {
    await context.close();
  }
}

async function isBegun(folder: string, kind: Kind): Promise<boolean> {
  const names = await readdir(folder);
  if (names.some((name) => name === '.galley' || isCardFolder(name))) return true;
  return kind === 'works-on-chapters' && (await readChapters(folder)).chapters.length > 0;
}

async function follow(
  context: LocalContext,
  { id, folder, kind }: { id: string; folder: string; kind: Kind },
): Promise<FollowedFolder | undefined> {
  const store = await context.store();
  try {
    if ((await projectFolder(store, id, folder)) === undefined) return undefined;
    await claimFolder(store, id, folder);
    return await followFolder(store, id, folder);
  } catch (error) {
    // Who only reads can go on with what the store knows.
    if (kind !== 'reads' || !isGalleyError(error) || !error.code.startsWith('STORE_')) throw error;
    sayWarnings([word('write.stale', { why: error.message })]);
    return undefined;
  }
}

async function carryOver(
  context: LocalContext,
  { id, folder, isQuiet }: { id: string; folder: string; isQuiet: boolean },
): Promise<ReadonlyMap<string, string>> {
  const store = await context.store();
  if (!(await ownsFolder(store, id, folder))) return new Map();
  const { carried, ids } = await carryOverProject(store, id, folder);
  if (carried.length > 0 && !isQuiet) say(`${word('write.carried', { list: carriedWords(carried) })}\n`);
  return ids;
}
