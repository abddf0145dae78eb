// What every `galley write` command stands on: the folder as a project, its store, and the operations. Commands that only read
// never make a file.
import { existsSync } from 'node:fs';
import { isGalleyError } from '../../../core/model/error.js';
import { call } from '../../../operations/call.js';
import type { OperationContext } from '../../../operations/operation.js';
import type { Store } from '../../../store/store.js';
import { type FollowedFolder, followFolder } from '../../../writing/folder/follow-folder.js';
import { claimFolder, projectFolder } from '../../../writing/folder/project-folder.js';
import { storePath } from '../../shared-store.js';
import { type LocalContext, localContext, projectHere } from '../shell/local-context.js';
import { colours } from '../terminal/colours.js';
import { warningLine, warningText } from '../terminal/explain-receipt.js';
import { word } from '../words/word.js';

export interface WriteOptions {
  readonly project?: string;
  readonly store?: string;
  readonly json?: boolean;
}

/** What one call does differently. */
export type CallChange = Partial<Pick<OperationContext, 'debug' | 'onText' | 'onProgress'>>;

export interface WriteProject {
  readonly project: string;
  readonly folder: string;
  readonly json: boolean;
  /** Whether there is a store that lasts. */
  readonly isKept: boolean;
  store(): Promise<Store>;
  call<T>(id: string, request?: object, change?: CallChange): Promise<T>;
  /** Brings the store abreast of the folder; undefined when the folder belongs to another project. */
  follow(): Promise<FollowedFolder | undefined>;
}

export async function withWriteProject(
  options: WriteOptions,
  kind: 'reads' | 'writes',
  work: (desk: WriteProject) => Promise<void>,
): Promise<void> {
  const folder = process.cwd();
  const named = options.store ?? process.env.GALLEY_STORE;
  const path = storePath(folder, options.store);
  const isKept = kind === 'writes' || existsSync(path);
  const store = isKept ? named : ':memory:';
  const context = localContext(store === undefined ? {} : { store });
  try {
    await work(
      writeProjectOf(context, {
        folder,
        isKept,
        kind,
        project:
          options.project ?? (await projectHere(context.store, folder, { isInside: named === undefined })),
        json: options.json === true,
      }),
    );
  } finally {
    await context.close();
  }
}

interface ProjectFacts extends Pick<WriteProject, 'folder' | 'project' | 'json' | 'isKept'> {
  readonly kind: 'reads' | 'writes';
}

function writeProjectOf(
  context: LocalContext,
  { folder, project, json, isKept, kind }: ProjectFacts,
): WriteProject {
  return {
    project,
    folder,
    json,
    isKept,
    store: () => context.store(),
    call: async <T>(id: string, request: object = {}, change: CallChange = {}) =>
      (await call(id, { projectId: project, ...request }, { ...context, ...change })) as T,
    follow: async () => {
      const store = await context.store();
      try {
        if ((await projectFolder(store, project, folder)) === undefined) return undefined;
        await claimFolder(store, project, folder);
        return await followFolder(store, project, folder);
      } catch (error) {
        // Who only reads can go on with what the store knows.
        if (kind === 'writes' || !isGalleyError(error) || !error.code.startsWith('STORE_')) throw error;
        sayWarnings([word('write.stale', { why: error.message })]);
        return undefined;
      }
    },
  };
}

export function say(text: string): void {
  process.stderr.write(text);
}

export function print(text: string): void {
  process.stdout.write(text);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

export function sayWarnings(
  warnings: readonly (string | { readonly message: string; readonly code?: string })[],
): void {
  const lines = warnings.map((warning) =>
    typeof warning === 'string' ? warningLine(warning) : warningText(warning),
  );
  for (const line of new Set(lines)) say(`${colours.yellow('!')} ${line}\n`);
}

export function percent(part: number): string {
  return `${Math.round(part * 1000) / 10} %`;
}
