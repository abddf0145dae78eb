// Which project, chapter and budget a chat is about: by the name of the model, else by headers, else by what the server was
// started with, else the only project there is.
import type { IncomingHttpHeaders } from 'node:http';
import { GalleyError } from '../../core/model/error.js';
import type { Store } from '../../store/store.js';
import type { Caller } from '../http/access/access-tokens.js';

export interface ChatDefaults {
  readonly project?: string | undefined;
  /** Tokens of the context at most. */
  readonly budget?: number | undefined;
  /** Tokens of code from the repository the server stands in; none unless told. */
  readonly code?: number | undefined;
  /** The project of that repository, which need hold nothing else. */
  readonly here?: string | undefined;
}

export interface ChatTarget {
  readonly projectId: string;
  readonly documentId?: string;
  readonly contextTokens?: number;
  readonly withCode?: number;
}

const prefix = 'galley/';

/** A project may have a slash in its name, a document keeps its own. */
export function modelName(project: string, document?: string): string {
  const first = project.replaceAll('%', '%25').replaceAll('/', '%2F');
  return `${prefix}${first}${document === undefined ? '' : `/${document.replaceAll('%', '%25')}`}`;
}

const plain = (text: string) => text.replace(/%2f/gi, '/').replaceAll('%25', '%');

function readName(model: string): { project?: string; document?: string } {
  if (!model.startsWith(prefix)) return {};
  const [first = '', ...rest] = model.slice(prefix.length).split('/');
  const document = plain(rest.join('/'));
  return {
    ...(first === '' ? {} : { project: plain(first) }),
    ...(document === '' ? {} : { document }),
  };
}

export async function chatTarget(
  { model, headers }: { readonly model: string; readonly headers: IncomingHttpHeaders },
  caller: Caller,
  { defaults, store }: { readonly defaults: ChatDefaults; readonly store: () => Promise<Store> },
): Promise<ChatTarget> {
  const named = readName(model);
  const projectId =
    named.project ??
    headerText(headers, 'x-galley-project') ??
    defaults.project ??
    (await onlyProject(caller, { store, here: defaults.here }));
  // Whoever may name any project would be answered about none by a slip of the pen.
  const isHere = projectId === defaults.here;
  if (caller.projects === '*' && !isHere && !(await knows(store, projectId))) throw noSuchProject();
  const documentId = named.document ?? headerText(headers, 'x-galley-document');
  const contextTokens = headerCount(headers, 'x-galley-budget') ?? defaults.budget;
  // Who may name no folders gets no code unasked, and is refused where it asks.
  const withCode = headerCount(headers, 'x-galley-code') ?? (caller.folders ? defaults.code : undefined);
  return {
    projectId,
    ...(documentId === undefined ? {} : { documentId }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(withCode === undefined || withCode === 0 ? {} : { withCode }),
  };
}

interface Place extends Pick<ChatDefaults, 'here'> {
  readonly store: () => Promise<Store>;
}

async function onlyProject(caller: Caller, place: Place): Promise<string> {
  const all = await projectsOf(caller, place);
  const [first] = all;
  if (first !== undefined && all.length === 1) return first;
  throw noSuchProject();
}

async function projectsOf({ projects }: Caller, { store, here }: Place): Promise<readonly string[]> {
  if (projects !== '*') return [...projects];
  const kept = (await (await store()).projects.list()).map(({ id }) => id);
  return kept.length === 0 && here !== undefined ? [here] : kept;
}

async function knows(store: () => Promise<Store>, project: string): Promise<boolean> {
  return (await (await store()).projects.list()).some(({ id }) => id === project);
}

function noSuchProject(): GalleyError {
  return new GalleyError(
    'NOT_FOUND',
    'model: there is no such project; take one that /v1/models lists, such as galley/<project>.',
    { details: { field: 'model' } },
  );
}

/** Names that are not ASCII come percent-encoded, as headers cannot hold them. */
function headerText(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  if (typeof value !== 'string' || value === '') return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    throw refused(name, 'must be percent-encoded');
  }
}

function headerCount(headers: IncomingHttpHeaders, name: string): number | undefined {
  const value = headers[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string' || !/^\d{1,9}$/.test(value))
    throw refused(name, 'must be a number of tokens');
  return Number(value);
}

function refused(field: string, says: string): GalleyError {
  return new GalleyError('INVALID_ARGUMENT', `${field}: ${says}.`, { details: { field } });
}

const mostListed = 1_000;

/** The models a caller may name: its projects, and the chapters of each. */
export async function listTargets(caller: Caller, place: Place): Promise<readonly string[]> {
  if (!caller.grants.has('run')) return [];
  const ids = await projectsOf(caller, place);
  const open = await place.store();
  const names = ids.slice(0, mostListed).map((id) => modelName(id));
  for (const id of ids) {
    if (names.length >= mostListed) break;
    const entries = await open.documents.list(id);
    names.push(...entries.slice(0, mostListed - names.length).map((entry) => modelName(id, entry.id)));
  }
  return names;
}
