// The addresses of resources: galley://<kind>/<project>[/<id>]. A name is one segment and never a path.
import { GalleyError } from '../../core/model/error.js';

export const resourceKinds = ['receipts', 'skills', 'constraints'] as const;

export type ResourceKind = (typeof resourceKinds)[number];

export interface ResourceAddress {
  readonly kind: ResourceKind;
  readonly projectId: string;
  readonly id?: string;
}

export function resourceUri({ kind, projectId, id }: ResourceAddress): string {
  const names = id === undefined ? [projectId] : [projectId, id];
  return `galley://${kind}/${names.map(encodeURIComponent).join('/')}`;
}

/** Undefined when no such resource can exist; names that try to leave their place are refused. */
export function parseResourceUri(uri: string): ResourceAddress | undefined {
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
export function isName(name: string): boolean {
  return name.trim() !== '' && name !== '.' && name !== '..' && !/[/\\?#\p{Cc}]/u.test(name);
}

function refusal(): GalleyError {
  return new GalleyError(
    'INVALID_ARGUMENT',
    'uri: write galley://<kind>/<project>/<id>, each name encoded, without slashes, dots or control characters in it.',
    { details: { field: 'uri' } },
  );
}
