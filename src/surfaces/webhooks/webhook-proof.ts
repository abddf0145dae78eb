// Is a delivery from the host it says it is from? GitHub and Gitea sign the bytes of the body, GitLab sends the secret itself. All
// comparisons take the same time whatever they find.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { GalleyError } from '../../core/model/error.js';
import type { ForgeKind } from '../../forges/forge.js';

export interface WebhookProof {
  /** What can be told before the body is read; refuses what cannot be from the host. */
  checkHeaders(headers: IncomingHttpHeaders): void;
  checkBody(headers: IncomingHttpHeaders, body: Buffer): void;
}

const shortest = 16;

/** The secrets of the environment; a host without one has no door. */
export function webhookSecrets(environment: NodeJS.ProcessEnv): ReadonlyMap<ForgeKind, string> {
  const kinds: readonly ForgeKind[] = ['github', 'gitlab', 'gitea'];
  const shared = environment.GALLEY_WEBHOOK_SECRET;
  const found = new Map<ForgeKind, string>();
  for (const kind of kinds) {
    const name = `GALLEY_WEBHOOK_SECRET_${kind.toUpperCase()}`;
    const secret = environment[name] || shared;
    if (secret === undefined || secret === '') continue;
    if (secret.length < shortest)
      throw new GalleyError(
        'CONFIG_INVALID',
        `A webhook secret must have at least ${shortest} characters; set GALLEY_WEBHOOK_SECRET or ${name} to a longer one.`,
        { details: { field: name } },
      );
    found.set(kind, secret);
  }
  if (found.size > 0) return found;
  throw new GalleyError(
    'CONFIG_INVALID',
    'Webhooks need a secret, or anybody could have reviews paid for; set GALLEY_WEBHOOK_SECRET, and give the same secret to the host.',
    { details: { field: 'GALLEY_WEBHOOK_SECRET' } },
  );
}

export function webhookProof(kind: ForgeKind, secret: string): WebhookProof {
  if (kind === 'gitlab')
    return {
      checkHeaders(headers) {
        const given = headers['x-gitlab-token'];
        if (typeof given !== 'string' || !isSame(given, secret)) throw forged();
      },
      checkBody() {},
    };
  const form = kind === 'github' ? /^sha256=([0-9a-f]{64})$/ : /^([0-9a-f]{64})$/;
  const name = kind === 'github' ? 'x-hub-signature-256' : 'x-gitea-signature';
  const signature = (headers: IncomingHttpHeaders): string => {
    const given = headers[name];
    const found = typeof given === 'string' ? form.exec(given)?.[1] : undefined;
    if (found === undefined) throw forged();
    return found;
  };
  return {
    checkHeaders: (headers) => void signature(headers),
    checkBody(headers, body) {
      const expected = createHmac('sha256', secret).update(body).digest();
      if (!timingSafeEqual(expected, Buffer.from(signature(headers), 'hex'))) throw forged();
    },
  };
}

/** By their digests, which have one length. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

function forged(): GalleyError {
  return new GalleyError(
    'UNAUTHENTICATED',
    'The signature of this delivery is missing or wrong; the secret of the webhook and that of the server must be the same.',
  );
}
