// What a client may look at without calling a tool: receipts, skills and constraints, by project.
import {
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { GalleyError, isGalleyError } from '../../core/model/error.js';
import type { Engine, EngineCall } from '../engine.js';

const mimeType = 'application/json';

const templates = [
  ['receipts of a project', 'galley://receipts/{projectId}', 'What was sent last, newest first.'],
  ['receipt', 'galley://receipts/{projectId}/{id}', 'What went in, what stayed out, and why.'],
  [
    'skills of a project',
    'galley://skills/{projectId}',
    'Its own skills, those for everyone, the built-in ones.',
  ],
  ['skill', 'galley://skills/{projectId}/{id}', 'A skill with its context rules and templates.'],
  ['constraints of a project', 'galley://constraints/{projectId}', 'The rules no text may break.'],
] as const;

export function listResourceTemplates(): ListResourceTemplatesResult {
  return {
    resourceTemplates: templates.map(([name, uriTemplate, description]) => ({
      name,
      uriTemplate,
      description,
      mimeType,
    })),
  };
}

interface Entry {
  readonly id: string;
  readonly name?: string;
  readonly description?: string;
}

/** The resources of the project one works in. */
export async function listResources(
  engine: Engine,
  projectId: string,
  options: EngineCall,
): Promise<ListResourcesResult> {
  const ask = (id: string) => engine.call(id, { projectId }, options);
  const { skills } = (await ask('skills:list')) as { skills: Entry[] };
  const { receipts } = (await ask('receipts:list')) as { receipts: Entry[] };
  const entries: [ResourceAddress, string, string | undefined][] = [
    [{ kind: 'constraints', projectId }, 'Constraints', 'The rules no text may break.'],
    ...skills.map(({ id, name, description }): [ResourceAddress, string, string | undefined] => [
      { kind: 'skills', projectId, id },
      name ?? id,
      description,
    ]),
    ...receipts.map(({ id }): [ResourceAddress, string, string | undefined] => [
      { kind: 'receipts', projectId, id },
      `Receipt ${id}`,
      undefined,
    ]),
  ];
  return {
    resources: entries
      .filter(([{ id }]) => isName(projectId) && (id === undefined || isName(id)))
      .map(([address, name, description]) => ({
        uri: resourceUri(address),
        name,
        mimeType,
        ...(description === undefined ? {} : { description }),
      })),
  };
}

export async function readResource(
  engine: Engine,
  uri: string,
  options: EngineCall,
): Promise<ReadResourceResult> {
  const address = parseResourceUri(uri);
  if (address === undefined) throw new ResourceNotFoundError(uri);
  const [operation, request] = requestFor(address);
  try {
    const answer = await engine.call(operation, request, options);
    return { contents: [{ uri, mimeType, text: JSON.stringify(answer) }] };
  } catch (error) {
    if (isGalleyError(error) && error.code === 'NOT_FOUND') throw new ResourceNotFoundError(uri);
    throw error;
  }
}

function requestFor({ kind, projectId, id }: ResourceAddress): [string, object] {
  if (id === undefined) return [`${kind}:list`, { projectId }];
  return kind === 'skills' ? ['skills:get', { projectId, skillId: id }] : ['receipts:get', { projectId, id }];
}

const resourceKinds = ['receipts', 'skills', 'constraints'] as const;

type ResourceKind = (typeof resourceKinds)[number];

interface ResourceAddress {
  readonly kind: ResourceKind;
  readonly projectId: string;
  readonly id?: string;
}

/** galley://<kind>/<project>[/<id>]: a name is one segment and never a path. */
function resourceUri({ kind, projectId, id }: ResourceAddress): string {
  const names = id === undefined ? [projectId] : [projectId, id];
  return `galley://${kind}/${names.map(encodeURIComponent).join('/')}`;
}

/** Undefined when no such resource can exist; names that try to leave their place are refused. */
function parseResourceUri(uri: string): ResourceAddress | undefined {
  const [, scheme, kind, rest = ''] = /^([a-z]+):\/\/([^/]*)\/(.*)$/su.exec(uri) ?? [];
  const known = resourceKinds.find((each) => each === kind);
  if (scheme !== 'galley' || known === undefined) return undefined;
  const [projectId, id, ...more] = rest.split('/').map(nameIn);
  if (more.length > 0 || projectId === undefined) throw refusal();
  if (id === undefined) return { kind: known, projectId };
  return known === 'constraints' ? undefined : { kind: known, projectId, id };
}

function nameIn(segment: string): string {
  let name: string;
  try {
    name = decodeURIComponent(segment);
  } catch {
    throw refusal();
  }
  if (!isName(name)) throw refusal();
  return name;
}

/** Whether a name could stand in an address. */
function isName(name: string): boolean {
  return name.trim() !== '' && name !== '.' && name !== '..' && !/[/\\?#\p{Cc}]/u.test(name);
}

function refusal(): GalleyError {
  return new GalleyError(
    'INVALID_ARGUMENT',
    'uri: write galley://<kind>/<project>/<id>, each name encoded, without slashes, dots or control characters in it.',
    { details: { field: 'uri' } },
  );
}
