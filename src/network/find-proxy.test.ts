import { describe, expect, it } from 'vitest';
import { findProxy, namedProxies } from './find-proxy.js';

const proxyFor = (address: string, environment: NodeJS.ProcessEnv) =>
  findProxy(new URL(address), environment);
const everything = { HTTPS_PROXY: 'http://secure:3128', HTTP_PROXY: 'http://plain:3128' };

describe('the proxy that the environment names', () => {
  it('is that of the protocol, as for git and curl', () => {
    expect(proxyFor('https://api.example', everything)).toMatchObject({ variable: 'HTTPS_PROXY' });
    expect(proxyFor('http://api.example', everything)).toMatchObject({ variable: 'HTTP_PROXY' });
    expect(proxyFor('https://api.example', { HTTP_PROXY: 'http://plain:3128' })).toBeUndefined();
    expect(proxyFor('https://api.example', { HTTPS_PROXY: ' ' })).toBeUndefined();
    expect(proxyFor('https://api.example', {})).toBeUndefined();
  });

  it('is taken from the lower-case variable first', () => {
    const environment = { ...everything, https_proxy: 'http://lower:1' };
    expect(proxyFor('https://api.example', environment)).toMatchObject({ variable: 'https_proxy' });
    expect(namedProxies(environment).map(({ variable }) => variable)).toEqual(['https_proxy', 'HTTP_PROXY']);
  });

  it.each([
    ['proxy.example:8080', 'http://proxy.example:8080/'],
    ['https://proxy.example', 'https://proxy.example/'],
    ['http://me:p%40ss@proxy.example:1', 'http://me:p%40ss@proxy.example:1/'],
    ['socks5://proxy.example:1080', undefined],
    ['http://', undefined],
    ['http://me:50%off@proxy.example', undefined],
  ])('reads %s', (value, expected) => {
    expect(proxyFor('https://api.example', { HTTPS_PROXY: value })?.url?.href).toBe(expected);
  });

  it.each(['http://localhost:11434', 'http://127.0.0.1:1', 'http://127.8.8.8', 'http://[::1]:8000'])(
    'is not used for %s',
    (address) => {
      expect(proxyFor(address, everything)).toBeUndefined();
    },
  );

  it.each([
    ['*', 'https://api.example', true],
    ['api.example', 'https://api.example', true],
    ['API.Example', 'https://api.example', true],
    ['example', 'https://api.example', true],
    ['.example', 'https://api.example', true],
    ['*.example', 'https://api.example', true],
    ['other, api.example', 'https://api.example', true],
    ['pi.example', 'https://api.example', false],
    ['api.example.org', 'https://api.example', false],
    ['api.example:443', 'https://api.example', true],
    ['api.example:8443', 'https://api.example', false],
    ['api.example:8443', 'https://api.example:8443', true],
    ['10.0.0.0/8', 'http://10.2.3.4:8000', true],
    ['10.0.0.0/8', 'http://11.2.3.4:8000', false],
    ['10.0.0.0/99', 'http://10.2.3.4', false],
    ['10.2.3.4', 'http://10.2.3.4', true],
    ['fd00::/8', 'http://[fd00::1]:8000', true],
    ['[fd00::1]:8000', 'http://[fd00::1]:8000', true],
    ['fd00::1', 'http://[fd00::2]', false],
  ])('NO_PROXY=%s and %s: without a proxy is %s', (list, address, without) => {
    expect(proxyFor(address, { ...everything, NO_PROXY: list }) === undefined).toBe(without);
    expect(proxyFor(address, { ...everything, no_proxy: list, NO_PROXY: '' }) === undefined).toBe(without);
  });
});
