// What a cloud must be told beside its address: the region, the project, the second half of a key. From the environment only.
import { GalleyError } from '../../core/model/error.js';
import type { Endpoint } from './endpoint.js';

export type CloudSettings = Readonly<Record<string, string>>;

export interface SetVariable {
  readonly name: string;
  readonly value: string;
}

/** The first variable that is set to something. */
export function firstSet(names: readonly string[], environment: NodeJS.ProcessEnv): SetVariable | undefined {
  for (const name of names) {
    const value = environment[name]?.trim();
    if (value !== undefined && value !== '') return { name, value };
  }
  return undefined;
}

interface Known {
  readonly key: SetVariable | undefined;
  /** Whether a variable gives the address. */
  readonly hasAddress: boolean;
}

export function cloudSettings(
  endpoint: Endpoint,
  environment: NodeJS.ProcessEnv,
  { key, hasAddress }: Known,
): CloudSettings {
  const refuse = (reason: string, variable: string, says: string) =>
    new GalleyError('MODEL_NOT_CONFIGURED', `${endpoint.title} ${says}.`, {
      details: { provider: endpoint.name, reason, variable },
    });
  const settings: Record<string, string> = {};
  for (const [name, variables] of Object.entries(endpoint.settings ?? {})) {
    const set = firstSet(variables, environment);
    const [variable = name] = variables;
    // The name of a resource is nothing but a part of its address.
    if (set === undefined && name === 'resource' && hasAddress) continue;
    if (set === undefined)
      throw refuse('setting-missing', variable, `does not know its ${name}; set ${variable}`);
    if (!/^[\w-]+(?:[.:][\w-]+)*$/.test(set.value))
      throw refuse('setting-malformed', set.name, `cannot read its ${name}; set ${set.name} to a plain name`);
    settings[name] = set.value;
  }
  if (key?.name !== 'AWS_ACCESS_KEY_ID') return settings;
  const secret = firstSet(['AWS_SECRET_ACCESS_KEY'], environment)?.value;
  if (secret === undefined)
    throw refuse(
      'key-missing',
      'AWS_SECRET_ACCESS_KEY',
      'needs the second half of the key; set AWS_SECRET_ACCESS_KEY',
    );
  const session = firstSet(['AWS_SESSION_TOKEN'], environment)?.value;
  return { ...settings, secret, ...(session === undefined ? {} : { session }) };
}
