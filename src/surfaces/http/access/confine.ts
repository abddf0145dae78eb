// How far a request may reach: a token that is limited to projects reaches those and nothing else, and files and repositories
// stay inside the folders the server was started for.
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import * as z from 'zod';
import { GalleyError, isGalleyError } from '../../../core/model/error.js';
import { repositoryPlace } from '../../../git/repository/repository-place.js';
import type { Operation } from '../../../operations/operation.js';
import { findOperation } from '../../../operations/table.js';
import type { Caller } from './access-tokens.js';

export interface ConfinedCall {
  readonly operation: Operation;
  readonly request: unknown;
}

/** The call itself and what it has run later: neither may reach further than the other. */
export async function callsIn(operation: Operation, request: unknown): Promise<readonly ConfinedCall[]> {
  const own = { operation, request };
  const parsed = operation.carries === undefined ? undefined : operation.input.safeParse(request);
  // What cannot be read is refused by the operation, in its own words.
  if (parsed?.success !== true) return [own];
  const carried = operation.carries?.(parsed.data);
  const later = carried === undefined ? undefined : await findOperation(carried.operation);
  return later === undefined ? [own] : [own, { operation: later, request: carried?.request }];
}

export function confineProject({ input }: Operation, request: unknown, caller: Caller): void {
  if (caller.projects === '*') return;
  const ofProject = input instanceof z.ZodObject && 'projectId' in input.shape;
  if (!ofProject) {
    if (caller.folders) return;
    throw new GalleyError(
      'FORBIDDEN',
      'This token is limited to projects, and this operation belongs to none.',
    );
  }
  const { projectId } = Object(request) as { projectId?: unknown };
  // The same words whether or not the project exists.
  if (typeof projectId !== 'string' || !caller.projects.has(projectId))
    throw new GalleyError('FORBIDDEN', 'This token does not cover the project; name one that it covers.', {
      details: { field: 'projectId' },
    });
}

export interface Folders {
  /** Relative paths start here; the first of the roots. */
  readonly folder: string;
  /** Real paths. */
  readonly roots: readonly string[];
}

/** Fields of requests that lead to the file system. */
export const fileFields = ['repo', 'path', 'skill', 'linter', 'withCode'] as const;

interface NamedFiles {
  readonly repo?: unknown;
  readonly path?: unknown;
  readonly skill?: unknown;
  readonly linter?: unknown;
}

/** No way up, no link out, and no repository that begins above the folders the server was started for. */
export async function confineFiles(
  { input }: Operation,
  request: unknown,
  { caller, folders }: { caller: Caller; folders: Folders },
): Promise<void> {
  const shape: object = input instanceof z.ZodObject ? input.shape : {};
  const named = Object(request) as NamedFiles;
  const used = fileFields.filter((field) => Object.hasOwn(named, field) && field in shape);
  const ofRepository = 'repo' in shape;
  if (!ofRepository && used.length === 0) return;
  if (!caller.folders) throw new GalleyError('FORBIDDEN', 'This token may not name files or repositories.');
  const { repo = '.', path, skill, linter } = named;
  const { folder } = folders;
  const starts = [folder];
  if (ofRepository && typeof repo === 'string') {
    const topLevel = await repositoryInside(resolve(folder, repo), folders);
    if (topLevel !== undefined) starts.push(topLevel);
  }
  if (used.includes('withCode')) await repositoryInside(folder, folders);
  if (typeof path === 'string') await inside(resolve(folder, path), 'path', folders);
  // A skill is looked for in both places.
  if (typeof skill === 'string')
    for (const start of starts) await inside(resolve(start, skill), 'skill', folders);
  for (const file of Array.isArray(linter) ? linter : []) {
    const { path: report } = Object(file) as NamedFiles;
    if (typeof report === 'string') await inside(resolve(folder, report), 'linter', folders);
  }
}

async function repositoryInside(place: string, folders: Folders): Promise<string | undefined> {
  await inside(place, 'repo', folders);
  // What is no repository is refused by the operation, in its own words.
  const found = await repositoryPlace(place).catch((error: unknown) => {
    if (isGalleyError(error) && error.code === 'NOT_A_REPOSITORY') return undefined;
    throw error;
  });
  if (found === undefined) return undefined;
  const { topLevel, gitDirectory } = found;
  await inside(gitDirectory, 'repo', folders);
  if (topLevel !== undefined) await inside(topLevel, 'repo', folders);
  return topLevel;
}

/** What does not exist is judged by the folder it would be in, so that nobody learns what exists outside. */
async function realPlace(place: string): Promise<string> {
  const real = await realpath(place).catch(() => undefined);
  if (real !== undefined) return real;
  const parent = dirname(place);
  return parent === place ? place : join(await realPlace(parent), basename(place));
}

async function inside(place: string, field: string, { roots }: Folders): Promise<void> {
  if (place.includes('\0')) throw outside(field);
  const real = await realPlace(place);
  const within = (path: string) =>
    roots.some((root) => path === root || path.startsWith(root.endsWith(sep) ? root : root + sep));
  if (!within(real)) throw outside(field);
}

function outside(field: string): GalleyError {
  return new GalleyError(
    'FORBIDDEN',
    `${field}: leads out of the folders this server was started for; start it with --root for others.`,
    { details: { field } },
  );
}
