// Where to call and with which key. Both come from the environment only, and a key never travels in the clear.
import { GalleyError } from '../../core/model/error.js';
import { isLoopback } from '../../network/find-proxy.js';
import type { Endpoint } from './endpoint.js';

export interface Connection {
  readonly endpoint: Endpoint;
  readonly baseUrl: string;
  /** Absent where the endpoint takes none. */
  readonly key?: string;
  /** The variable the key came from, or should come from. */
  readonly keyVariable: string;
}

export function connect(endpoint: Endpoint, environment: NodeJS.ProcessEnv): Connection {
  const key = firstSet(endpoint.keyVariables, environment);
  const keyVariable = key?.name ?? endpoint.keyVariables[0] ?? 'GALLEY_API_KEY';
  const own = firstSet(endpoint.baseUrlVariables, environment);
  const address = own?.value ?? endpoint.baseUrl;
  const addressVariable = own?.name ?? endpoint.baseUrlVariables[0] ?? 'GALLEY_BASE_URL';
  if (address === undefined)
    throw new GalleyError('MODEL_NOT_CONFIGURED', `${endpoint.title} is not set; set ${addressVariable}.`, {
      details: { provider: endpoint.name, reason: 'address-missing', variable: addressVariable },
    });
  if (key === undefined && endpoint.keyOptional !== true)
    throw new GalleyError('MODEL_NOT_CONFIGURED', `${endpoint.title} needs a key; set ${keyVariable}.`, {
      details: { provider: endpoint.name, reason: 'key-missing', variable: keyVariable },
    });
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key.value))
    throw new GalleyError(
      'MODEL_NOT_CONFIGURED',
      `${keyVariable} holds characters that no key has; set it again without blanks or line ends.`,
      { details: { provider: endpoint.name, reason: 'key-malformed', variable: keyVariable } },
    );
  const baseUrl = checkAddress(address, {
    endpoint,
    variable: addressVariable,
    secret: key !== undefined,
  });
  return { endpoint, baseUrl, keyVariable, ...(key === undefined ? {} : { key: key.value }) };
}

/** The first variable that is set to something. */
export function firstSet(
  names: readonly string[],
  environment: NodeJS.ProcessEnv,
): { readonly name: string; readonly value: string } | undefined {
  for (const name of names) {
    const value = environment[name]?.trim();
    if (value !== undefined && value !== '') return { name, value };
  }
  return undefined;
}

interface AddressUse {
  readonly endpoint: Endpoint;
  readonly variable: string;
  readonly secret: boolean;
}

function checkAddress(address: string, { endpoint, variable, secret }: AddressUse): string {
  const refuse = (says: string, reason: string) =>
    new GalleyError('MODEL_NOT_CONFIGURED', `${variable} ${says}.`, {
      details: { provider: endpoint.name, reason, variable },
    });
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw refuse('is not an http or https address; set it to one', 'address-malformed');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw refuse('may not carry a login, a query or a fragment; leave only the address', 'address-malformed');
  if (url.protocol === 'http:' && secret && !isLoopback(url.hostname))
    throw refuse('would send the key unencrypted; use https', 'address-unsafe');
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path}${versionPath(endpoint, path)}`;
}

/** Vendors' own programs leave the version out of the address, so it is added where it is missing. */
function versionPath({ protocol }: Endpoint, path: string): string {
  if (/\/v\d\w*$/.test(path)) return '';
  if (protocol === 'anthropic') return '/v1';
  return protocol === 'google' ? '/v1beta' : '';
}
