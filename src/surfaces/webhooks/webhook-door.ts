// galley serve --webhooks: deliveries of GitHub, GitLab and Gitea become jobs. Nobody is believed without a signature, nothing larger
// than the hosts send is read, and the answer does not wait for the review.
import { GalleyError } from '../../core/model/error.js';
import type { ForgeKind } from '../../forges/forge.js';
import { type Exchange, parseBody } from '../http/answer-call.js';
import type { DoorRoute } from '../http/door-route.js';
import { checkJsonHeaders, createBodyReader } from '../http/limits/request-body.js';
import { httpRefusal } from '../http/response.js';
import type { ServerState } from '../http/server-state.js';
import { queueWebhook, type WebhookQueue } from './queue-webhook.js';
import { readWebhook } from './webhook-event.js';
import { type WebhookProof, webhookProof } from './webhook-proof.js';

export interface WebhookOptions extends WebhookQueue {
  readonly secrets: ReadonlyMap<ForgeKind, string>;
  /** `owner/name`, or `owner/*`; nothing else is served. */
  readonly repositories: readonly string[];
}

/** A host may say what was pushed, and nothing else. */
const forge = {
  grants: new Set<never>(),
  projects: new Set<never>(),
  folders: false,
  metrics: false,
  weight: 1,
};

const megabyte = 1024 * 1024;
/** GitHub sends no more. */
const limits = { bodyBytes: 25 * megabyte, allBodyBytes: 100 * megabyte };

export function webhookDoor(options: WebhookOptions): readonly DoorRoute[] {
  if (options.repositories.length === 0)
    throw new GalleyError(
      'CONFIG_INVALID',
      'Webhooks need to know whose pull requests are reviewed; name them with --webhook-repos owner/name.',
      { details: { field: 'webhook-repos' } },
    );
  const bodies = createBodyReader(limits);
  return [...options.secrets].map(([kind, secret]): DoorRoute => {
    const proof = webhookProof(kind, secret);
    return {
      ...{ method: 'POST', path: `/webhooks/${kind}`, name: `webhook:${kind}` },
      answer: (exchange, state) => takeDelivery({ kind, proof, bodies, options }, exchange, state),
      refuse: (thrown) => httpRefusal(thrown),
    };
  });
}

interface Delivery {
  readonly kind: ForgeKind;
  readonly proof: WebhookProof;
  readonly bodies: ReturnType<typeof createBodyReader>;
  readonly options: WebhookOptions;
}

async function takeDelivery(
  { kind, proof, bodies, options }: Delivery,
  { incoming, outgoing, onCaller }: Exchange,
  { rate, isClosing }: ServerState,
): Promise<{ kind: 'json'; status: number; json: string }> {
  if (isClosing)
    throw new GalleyError('CONTEXT_BACKPRESSURE', 'The server is closing; try again in a moment.');
  const { headers } = incoming;
  const known = <T>(check: () => T): T => {
    try {
      return check();
    } catch (error) {
      rate.take('strangers');
      throw error;
    }
  };
  bodies.checkLength(headers);
  known(() => proof.checkHeaders(headers));
  checkJsonHeaders(headers);
  const body = await bodies.read(incoming, outgoing);
  try {
    known(() => proof.checkBody(headers, body.bytes));
    const mark = `webhook:${kind}`;
    onCaller({ ...forge, mark });
    rate.take(mark);
    const event = readWebhook(kind, headers, parseBody(body.bytes));
    const answer = (status: number, said: object) => ({
      ...{ kind: 'json' as const, status, json: JSON.stringify(said) },
    });
    if ('ignored' in event) return answer(200, event);
    if (!isServed(event.repository, options.repositories)) throw notServed();
    return answer(202, await queueWebhook(event, options));
  } finally {
    body.release();
  }
}

function isServed(repository: string, list: readonly string[]): boolean {
  const name = repository.toLowerCase();
  return list.some((each) => {
    const entry = each.toLowerCase();
    return entry.endsWith('/*') ? name.startsWith(entry.slice(0, -1)) : name === entry;
  });
}

function notServed(): GalleyError {
  return new GalleyError(
    'FORBIDDEN',
    'Pull requests of this repository are not reviewed here; name it with --webhook-repos where the server starts.',
  );
}
