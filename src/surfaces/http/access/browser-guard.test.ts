// One guard, two doors: what each lets in, by name, port, origin and the way a page came.
import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type GuardOptions, guardBrowser } from './browser-guard.js';

interface Asked {
  readonly host: string | readonly string[];
  readonly headers?: IncomingHttpHeaders;
  readonly method?: string;
  readonly url?: string;
}

function isLetIn(options: GuardOptions, { host, headers = {}, method = 'POST', url = '/' }: Asked): boolean {
  const hosts = [host].flat();
  const incoming = {
    headers: { host: hosts[0] ?? '', ...headers },
    headersDistinct: { host: hosts },
    method,
    url,
  };
  try {
    guardBrowser(incoming, options);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'FORBIDDEN' });
    return false;
  }
}

const open: GuardOptions = { scheme: 'http', host: '127.0.0.1', links: true };
const strict: GuardOptions = {
  scheme: 'http',
  host: '127.0.0.1',
  port: 7310,
  onlyHosts: ['127.0.0.1', 'localhost', '::1'],
  links: false,
};
const secure: GuardOptions = { ...open, scheme: 'https' };
const beyond: GuardOptions = { ...open, host: '0.0.0.0', allowHosts: ['galley.internal'] };

const rows: [string, Asked, Record<'open' | 'strict' | 'secure' | 'beyond', boolean>][] = [
  ['our name and port', { host: 'localhost:7310' }, { open: true, strict: true, secure: true, beyond: true }],
  ['capitals', { host: 'LOCALHOST:7310' }, { open: true, strict: true, secure: true, beyond: true }],
  ['the sixth protocol', { host: '[::1]:7310' }, { open: true, strict: true, secure: true, beyond: true }],
  ['another port', { host: 'localhost:80' }, { open: true, strict: false, secure: true, beyond: true }],
  ['no port', { host: '127.0.0.1' }, { open: true, strict: false, secure: true, beyond: true }],
  ['another loopback', { host: '127.0.0.2:7310' }, { open: true, strict: false, secure: true, beyond: true }],
  [
    'another address',
    { host: '192.0.2.1:7310' },
    { open: false, strict: false, secure: false, beyond: true },
  ],
  [
    'an allowed name',
    { host: 'galley.internal' },
    { open: false, strict: false, secure: false, beyond: true },
  ],
  ...[
    'evil.example',
    'evil.example:7310',
    '127.0.0.1.evil.example:7310',
    'localhost.:7310',
    '127.0.0.1.:7310',
    'user@localhost:7310',
    'localhost:7310@evil.example',
    '127.1:7310',
    '2130706433:7310',
    '0x7f000001:7310',
    '::1',
    'localhost:7310:80',
    '',
  ].map((host): (typeof rows)[number] => [
    `the name ${host}`,
    { host },
    { open: false, strict: false, secure: false, beyond: false },
  ]),
  [
    'two names',
    { host: ['localhost:7310', 'evil.example'] },
    { open: false, strict: false, secure: false, beyond: false },
  ],
  [
    'another name in the address',
    { host: 'localhost:7310', url: 'http://evil.example/mcp' },
    { open: false, strict: false, secure: false, beyond: false },
  ],
  [
    'the same name in the address',
    { host: 'localhost:7310', url: 'http://localhost:7310/mcp' },
    { open: true, strict: true, secure: true, beyond: true },
  ],
  ...[
    'null',
    'http://evil.example',
    'http://localhost:3000',
    'http://127.0.0.1:7310',
    'http://localhost:7310/',
    'http://user@localhost:7310',
    'http://localhost:7310.evil.example',
    '',
  ].map((origin): (typeof rows)[number] => [
    `a page of ${origin}`,
    { host: 'localhost:7310', headers: { origin } },
    { open: false, strict: false, secure: false, beyond: false },
  ]),
  [
    'our own page',
    { host: 'localhost:7310', headers: { origin: 'http://localhost:7310' } },
    { open: true, strict: true, secure: false, beyond: true },
  ],
  [
    'our own page over TLS',
    { host: 'localhost:7310', headers: { origin: 'https://localhost:7310' } },
    { open: false, strict: false, secure: true, beyond: false },
  ],
  ...['cross-site', 'same-site', 'strange'].map((site): (typeof rows)[number] => [
    `a ${site} fetch`,
    { host: 'localhost:7310', headers: { 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors' } },
    { open: false, strict: false, secure: false, beyond: false },
  ]),
  [
    'a form of another page',
    { host: 'localhost:7310', headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' } },
    { open: false, strict: false, secure: false, beyond: false },
  ],
  [
    'a link of another page',
    {
      host: 'localhost:7310',
      method: 'GET',
      headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    },
    { open: true, strict: false, secure: true, beyond: true },
  ],
  [
    'a frame of another page',
    {
      host: 'localhost:7310',
      method: 'GET',
      headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    },
    { open: false, strict: false, secure: false, beyond: false },
  ],
];

describe('the guard', () => {
  it.each(rows)('decides by door about %s', (_, asked, expected) => {
    expect({
      open: isLetIn(open, asked),
      strict: isLetIn(strict, asked),
      secure: isLetIn(secure, asked),
      beyond: isLetIn(beyond, asked),
    }).toEqual(expected);
  });

  it('takes the usual port as said when it is left out', () => {
    expect(isLetIn({ ...strict, port: 80 }, { host: 'localhost' })).toBe(true);
    expect(isLetIn({ ...strict, port: 443, scheme: 'https' }, { host: 'localhost' })).toBe(true);
    expect(isLetIn({ ...strict, port: 443 }, { host: 'localhost' })).toBe(false);
  });
});
