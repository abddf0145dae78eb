// galley token: tokens of the server in its store. The token itself is printed once, when it is made; afterwards it is known by
// its mark, the first digits of its digest.
import { createHash } from 'node:crypto';
import { GalleyError } from '../../../core/model/error.js';
import { parseInput } from '../../../core/model/input.js';
import type { Store } from '../../../store/store.js';
import type { StoredToken } from '../../../store/tables/tokens.js';
import { newToken, type TokenTerms, tokenTerms } from '../../http/access/access-tokens.js';
import { isThere, sharedStore, storePath } from '../../shared-store.js';
import { wholeNumber } from '../shell/read-input.js';
import { terminalWidth, textTable } from '../terminal/table.js';
import { print, printJson, say } from '../terminal/talk.js';
import { word } from '../words/word.js';
import { type ShownToken, tokenLines, tokenRow, tokenTitles } from './token-words.js';

interface TokenOptions {
  readonly store?: string;
  readonly json?: boolean;
}

interface TermOptions extends TokenOptions {
  readonly note?: string;
  readonly project?: readonly string[];
  readonly grant?: readonly string[];
  readonly folders?: boolean;
  readonly expires?: string;
  readonly limitCalls?: string;
  readonly limitTokens?: string;
  readonly limitDollars?: string;
  readonly weight?: string;
}

/** Whoever only looks makes no file. */
async function inStore<T>(
  { store: named }: TokenOptions,
  need: 'reads' | 'writes',
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const folder = process.cwd();
  const isOpened = need === 'writes' || isThere(storePath(folder, named));
  const { store, close } = sharedStore(folder, { path: isOpened ? named : ':memory:' });
  try {
    return await work(await store());
  } finally {
    await close();
  }
}

async function shown(store: Store, { digest: _, value, ...rest }: StoredToken): Promise<ShownToken> {
  const { period, spent } = await store.spending.get(`token:${rest.id}`, 'month');
  const { calls, tokens, microDollars } = spent;
  const month = { month: period, calls, tokens, dollars: microDollars / 1e6 };
  return { ...rest, ...parseInput(tokenTerms, value), spent: month };
}

export async function createToken(options: TermOptions): Promise<void> {
  const asked = termsOf(options);
  const terms = checkedTerms({ projects: '*', grants: ['read'], ...asked });
  const lastsMs = lifetime(options.expires);
  const { token, hash } = newToken();
  await inStore(options, 'writes', async (store) => {
    const stored = await store.tokens.create({
      digest: hash.slice('sha256:'.length),
      value: terms,
      ...(lastsMs === undefined || lastsMs === null ? {} : { lastsMs }),
    });
    const answer = await shown(store, stored);
    if (options.json) return printJson({ token, ...answer });
    say(`${word('token.made', { id: stored.id })}\n`);
    print(`${token}\n`);
  });
}

export async function listTokens(options: TokenOptions): Promise<void> {
  await inStore(options, 'reads', async (store) => {
    const tokens: ShownToken[] = [];
    for (const each of await store.tokens.list()) tokens.push(await shown(store, each));
    if (options.json) return printJson({ tokens });
    if (tokens.length === 0)
      return say(`${word('token.none', { command: 'galley token create --note … --grant read' })}\n`);
    print(textTable(tokenTitles(), tokens.map(tokenRow), { width: terminalWidth() }));
  });
}

export async function showToken(which: string, options: TokenOptions): Promise<void> {
  await inStore(options, 'reads', async (store) => {
    tell(await shown(store, await tokenNamed(store, which)), options);
  });
}

export async function changeToken(which: string, options: TermOptions): Promise<void> {
  const change = termsOf(options);
  const lastsMs = lifetime(options.expires);
  await inStore(options, 'writes', async (store) => {
    const { id, state } = await tokenNamed(store, which);
    if (state === 'revoked')
      throw new GalleyError('INVALID_ARGUMENT', 'A revoked token stays revoked; create another one.');
    const changed = await store.tokens.change(id, ({ value }, time) => {
      const before = parseInput(tokenTerms, value);
      const limits = { ...before.limits, ...change.limits };
      return {
        value: checkedTerms({ ...before, ...change, ...(Object.keys(limits).length > 0 ? { limits } : {}) }),
        ...(lastsMs === undefined ? {} : { expiresAt: lastsMs === null ? null : time + lastsMs }),
      };
    });
    tell(await shown(store, changed), options);
  });
}

export async function revokeToken(which: string, options: TokenOptions): Promise<void> {
  await inStore(options, 'writes', async (store) => {
    const { id } = await tokenNamed(store, which);
    const revoked = await shown(store, await store.tokens.revoke(id));
    if (options.json) return printJson(revoked);
    say(`${word('token.revoked', { id })}\n`);
  });
}

function tell(token: ShownToken, { json }: TokenOptions): void {
  if (json) printJson(token);
  else print(tokenLines(token));
}

/** By its mark, by the first digits of it, or by the token itself. */
async function tokenNamed({ tokens }: Store, which: string): Promise<StoredToken> {
  const mark = which.startsWith('galley_') ? createHash('sha256').update(which).digest('hex') : which;
  const found = (await tokens.list()).filter(({ id, digest }) =>
    which.length >= 4 ? digest.startsWith(mark.toLowerCase()) : id === mark,
  );
  const [one, ...others] = found;
  if (one === undefined)
    throw new GalleyError('NOT_FOUND', 'There is no such token in this store; galley token lists them.', {
      details: { kind: 'token' },
    });
  if (others.length > 0)
    throw new GalleyError('INVALID_ARGUMENT', 'Several tokens begin like that; give more of the mark.');
  return one;
}

/** Only what was asked for. */
function termsOf(options: TermOptions): Partial<TokenTerms> {
  const { note, project = [], grant = [], folders, weight } = options;
  const limits = {
    ...given('calls', options.limitCalls, (text) => wholeNumber(text, '--limit-calls', 0)),
    ...given('tokens', options.limitTokens, (text) => wholeNumber(text, '--limit-tokens', 0)),
    ...given('dollars', options.limitDollars, (text) => amount(text, '--limit-dollars')),
  };
  return {
    ...(note === undefined ? {} : { note }),
    ...(project.length === 0 ? {} : { projects: project.includes('*') ? '*' : [...project] }),
    ...(grant.length === 0 ? {} : { grants: [...grant] as TokenTerms['grants'] }),
    ...(folders === undefined ? {} : { folders }),
    ...given('weight', weight, (text) => amount(text, '--weight')),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  };
}

/** A limit of `none` is taken away. */
function given<Name extends string>(name: Name, text: string | undefined, read: (text: string) => number) {
  if (text === undefined) return {};
  return { [name]: text === 'none' ? undefined : read(text) };
}

function amount(text: string, flag: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value >= 0) return value;
  throw new GalleyError('INVALID_ARGUMENT', `${flag}: must be a number from 0 on.`, {
    details: { field: flag },
  });
}

function checkedTerms(terms: unknown): TokenTerms {
  const checked = parseInput(tokenTerms, terms);
  if (checked.grants.includes('metrics') && checked.projects !== '*')
    throw new GalleyError(
      'INVALID_ARGUMENT',
      'grants: the counters are of all projects, so "metrics" needs a token without --project.',
      { details: { field: 'grants' } },
    );
  return checked;
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Milliseconds from now; null for never; undefined where nothing was said. */
function lifetime(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === 'never') return null;
  const [, number = '', unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text.trim()) ?? [];
  const factor = units[unit];
  if (factor !== undefined && Number(number) > 0) return Number(number) * factor;
  throw new GalleyError('INVALID_ARGUMENT', '--expires: must be like 30d, 12h, 90m, 2w, or never.', {
    details: { field: '--expires' },
  });
}
