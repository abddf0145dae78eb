// The page for a person, as the server hands it out: the shell and its files to everyone who may knock, everything about the project
// only to a browser that brought a key.
import type { IncomingMessage } from 'node:http';
import { GalleyError } from '../../../core/model/error.js';
import type { PageDoor } from '../../page/page-door.js';
import { pageFile, pageShell } from '../../page/page-files.js';
import { callerOfPage } from '../access/access-tokens.js';

export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

type Asked = Pick<IncomingMessage, 'headers'>;

export async function answerShell({ headers }: Asked): Promise<PageAnswer> {
  const language = /^zh\b/i.test(headers['accept-language'] ?? '') ? 'zh' : 'en';
  const { html, policy } = await pageShell(language);
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    },
    body: html,
  };
}

/** A built file never changes under its name. */
export async function answerFile(name: string): Promise<PageAnswer> {
  const file = await pageFile(name);
  if (file === undefined)
    throw new GalleyError('UNKNOWN_OPERATION', 'There is no such file of the page; load the page anew.');
  return {
    status: 200,
    headers: { 'content-type': file.type, 'cache-control': 'private, max-age=31536000, immutable' },
    body: file.bytes,
  };
}

/** A view, and what it is to show: letters that mean nothing in a header or an address but what they say. */
const placePattern = /^[\w/-]{0,200}(?:\?[\w=&%.:~*+-]{0,4000})?$/;

/** The key becomes a cookie, and leaves the address. */
export async function answerKey(key: string, view: string, page: PageDoor): Promise<PageAnswer> {
  const cookie = await page.redeem(key);
  if (cookie === undefined) return { status: 303, headers: { location: '/#/closed' }, body: '' };
  const place = placePattern.test(view) ? view : '';
  return {
    status: 303,
    headers: {
      location: `/#/${place}`,
      'set-cookie': `${page.cookieName}=${cookie}; Path=/; HttpOnly; SameSite=Strict; Max-Age=34560000`,
    },
    body: '',
  };
}

export async function answerStart(asked: Asked, page: PageDoor): Promise<PageAnswer> {
  if (callerOfPage(asked, page) === undefined)
    throw new GalleyError('UNAUTHENTICATED', 'This browser was not let in; run "galley open" in the folder.');
  return json(await page.start());
}

/** Which project's page this is, for another "galley open" in the same folder. */
export const answerId = (page: PageDoor): PageAnswer => json({ galley: page.id });

const json = (value: unknown): PageAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});
