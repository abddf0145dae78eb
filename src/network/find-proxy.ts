// Which proxy does the environment name for an address? The variables mean what they mean to git and curl, so that a clone and a
// model go the same way: lower case first, HTTPS_PROXY for https, HTTP_PROXY for http. This machine is never behind a proxy.
import { BlockList, isIP } from 'node:net';

export interface NamedProxy {
  /** The variable that names it. Its value may hold a password and is told to nobody. */
  readonly variable: string;
  /** Undefined where the value is no address of an HTTP proxy. */
  readonly url: URL | undefined;
}

const variables = {
  'https:': ['https_proxy', 'HTTPS_PROXY'],
  'http:': ['http_proxy', 'HTTP_PROXY'],
} as const;
const exceptions = ['no_proxy', 'NO_PROXY'];

export function findProxy(target: URL, environment: NodeJS.ProcessEnv): NamedProxy | undefined {
  const variable = proxyVariable(target.protocol, environment);
  if (variable === undefined || isLoopback(target.hostname) || isException(target, environment))
    return undefined;
  return { variable, url: addressIn(environment[variable] ?? '') };
}

/** The proxies in force, whatever the address. */
export function namedProxies(environment: NodeJS.ProcessEnv): NamedProxy[] {
  return Object.keys(variables).flatMap((protocol) => {
    const variable = proxyVariable(protocol, environment);
    return variable === undefined ? [] : [{ variable, url: addressIn(environment[variable] ?? '') }];
  });
}

/** The variable that lists what is reached without a proxy. */
export function exceptionVariable(environment: NodeJS.ProcessEnv): string | undefined {
  return exceptions.find((name) => isSet(environment[name]));
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

function proxyVariable(protocol: string, environment: NodeJS.ProcessEnv): string | undefined {
  const names: readonly string[] = protocol === 'https:' || protocol === 'http:' ? variables[protocol] : [];
  return names.find((name) => isSet(environment[name]));
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== '';
}

function addressIn(value: string): URL | undefined {
  const text = value.trim();
  const address = text.includes('://') ? text : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && isDecodable(url) ? url : undefined;
}

function isDecodable({ username, password }: URL): boolean {
  return !/%(?![\da-f]{2})/i.test(username + password);
}

function isException({ protocol, hostname, port }: URL, environment: NodeJS.ProcessEnv): boolean {
  const list = environment[exceptionVariable(environment) ?? ''] ?? '';
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const usualPort = protocol === 'https:' ? '443' : '80';
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const [, listed = entry, listedPort] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
      const name = listed.replace(/^\[(.*)\]$/, '$1').replace(/^\*?\./, '');
      if (listedPort !== undefined && listedPort !== (port || usualPort)) return false;
      return name === '*' || name === host || host.endsWith(`.${name}`) || isWithin(host, name);
    });
}

/** `10.0.0.0/8` and its like. */
function isWithin(host: string, range: string): boolean {
  const [network = '', length = ''] = range.split('/');
  const version = isIP(network);
  const bits = Number(length);
  if (version === 0 || version !== isIP(host) || length === '' || !(bits <= (version === 4 ? 32 : 128)))
    return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const block = new BlockList();
  block.addSubnet(network, Math.trunc(bits), family);
  return block.check(host, family);
}
