// Where a server's tokens are: a file, the store, or both. Each is asked with every request, so whatever is taken away there is
// refused from then on; calls that run already may finish.
import { timingSafeEqual } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { GalleyError } from '../../../core/model/error.js';
import { parseInput } from '../../../core/model/input.js';
import type { Store } from '../../../store/store.js';
import { type ListedToken, parseTokens, type TokenSource, tokenOf, tokenTerms } from './access-tokens.js';

export function listedTokens(list: readonly ListedToken[], now: () => number = Date.now): TokenSource {
  return { find: async (digest) => foundIn(list, digest, now()) };
}

function foundIn(list: readonly ListedToken[], digest: Buffer, now: number) {
  // Every entry is compared, so the time taken tells nothing about the list.
  let found: ListedToken | undefined;
  for (const each of list) if (timingSafeEqual(each.digest, digest)) found = each;
  if (found === undefined) return undefined;
  const { token, expiresAt = Number.POSITIVE_INFINITY } = found;
  return { token, state: expiresAt <= now ? ('expired' as const) : ('valid' as const) };
}

/** How long a file that is being written may take. */
const settleMs = 50;

/** Read now, and again whenever it changes. While it cannot be read nobody is let in: what it took away must not go on. */
export async function tokensOfFile(path: string, now: () => number = Date.now): Promise<TokenSource> {
  let seen = await stampOf(path);
  let list = await readTokens(path);
  let reading: Promise<void> | undefined;
  const readAgain = async () => {
    const stamp = await stampOf(path);
    if (stamp === seen) return;
    list = await readTokens(path).catch(async () => {
      await sleep(settleMs);
      return readTokens(path);
    });
    seen = stamp;
  };
  return {
    async find(digest) {
      reading ??= readAgain().finally(() => {
        reading = undefined;
      });
      await reading.catch((cause: unknown) => {
        throw new GalleyError(
          'STORE_UNAVAILABLE',
          'The list of tokens cannot be read; the owner of the server must mend it.',
          { cause },
        );
      });
      return foundIn(list, digest, now());
    },
  };
}

async function stampOf(path: string): Promise<string> {
  const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true }).catch(unreadable);
  return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}

async function readTokens(path: string): Promise<readonly ListedToken[]> {
  return parseTokens(await readFile(path, 'utf8').catch(unreadable));
}

function unreadable(cause: unknown): never {
  throw new GalleyError('CONFIG_INVALID', 'The token file cannot be read; check --tokens or GALLEY_TOKENS.', {
    cause,
  });
}

/** Tokens of `galley token`; what they do is written down, and bounded where they have limits. */
export function tokensOfStore(store: () => Promise<Pick<Store, 'tokens'>>): TokenSource {
  return {
    async find(digest) {
      const stored = await (await store()).tokens.find(digest.toString('hex'));
      if (stored === undefined) return undefined;
      const { state, value } = stored;
      const token = tokenOf(parseInput(tokenTerms, value));
      return { state, token: { ...token, limits: token.limits ?? {} } };
    },
  };
}

/** The first that knows a token decides. */
export function eitherSource(...sources: readonly TokenSource[]): TokenSource {
  return {
    async find(digest) {
      for (const source of sources) {
        const found = await source.find(digest);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}
