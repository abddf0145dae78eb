// Where to call and with which key. Both come from the environment only, and a key never travels in the clear.
import { GalleyError } from '../../core/model/error.js';
import { isLoopback } from '../../network/find-proxy.js';
import { type CloudSettings, cloudSettings, firstSet } from './cloud-settings.js';
import type { Endpoint } from './endpoint.js';

export interface Connection {
  readonly endpoint: Endpoint;
  /** Absent where the package of a cloud makes it from the settings. */
  readonly baseUrl?: string;
  /** Absent where the endpoint takes none. */
  readonly key?: string;
  /** The variable the key came from, or should come from. */
  readonly keyVariable: string;
  readonly settings: CloudSettings;
}

export function connect(endpoint: Endpoint, environment: NodeJS.ProcessEnv): Connection {
  const key = firstSet(endpoint.keyVariables, environment);
  const keyVariable = key?.name ?? endpoint.keyVariables[0] ?? 'GALLEY_API_KEY';
  const own = firstSet(endpoint.baseUrlVariables, environment);
  const address = own?.value ?? endpoint.baseUrl;
  const addressVariable = own?.name ?? endpoint.baseUrlVariables[0] ?? 'GALLEY_BASE_URL';
  if (address === undefined && endpoint.cloud === undefined)
    throw new GalleyError('MODEL_NOT_CONFIGURED', `${endpoint.title} is not set; set ${addressVariable}.`, {
      details: { provider: endpoint.name, reason: 'address-missing', variable: addressVariable },
    });
  if (key === undefined && endpoint.keyOptional !== true)
    throw new GalleyError(
      'MODEL_NOT_CONFIGURED',
      `${endpoint.title} needs a key; ${endpoint.signIn ?? `set ${keyVariable}`}.`,
      {
        details: { provider: endpoint.name, reason: 'key-missing', variable: keyVariable },
      },
    );
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key.value))
    throw new GalleyError(
      'MODEL_NOT_CONFIGURED',
      `${keyVariable} holds characters that no key has; set it again without blanks or line ends.`,
      { details: { provider: endpoint.name, reason: 'key-malformed', variable: keyVariable } },
    );
  const settings = cloudSettings(endpoint, environment, { key, hasAddress: own !== undefined });
  const use = {
    endpoint,
    variable: addressVariable,
    secret: key !== undefined || endpoint.cloud !== undefined,
  };
  return {
    ...{ endpoint, keyVariable, settings },
    ...(address === undefined ? {} : { baseUrl: checkAddress(address, use) }),
    ...(key === undefined ? {} : { key: key.value }),
  };
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
function versionPath({ protocol, cloud }: Endpoint, path: string): string {
  if (/\/v\d\w*$/.test(path)) return '';
  if (cloud !== undefined) return cloud !== 'azure' ? '' : path.endsWith('/openai') ? '/v1' : '/openai/v1';
  if (protocol === 'anthropic') return '/v1';
  return protocol === 'google' ? '/v1beta' : '';
}
