// Which request goes on from which? CLIs speak with a model about several things at once: titles, helpers, the conversation
// itself. Two requests are of one conversation where they share what was said, and are asked in the same way.
import { firstDifference } from './compare-requests.js';
import type { ModelRequestBody, RequestBlock } from './request-blocks.js';

export interface Conversation {
  /** One-based, in the order in which they began. */
  readonly number: number;
  last: ModelRequestBody;
}

/** So many are remembered with their last request, those of late. */
const maxOpen = 24;

export function createConversations() {
  let open: Conversation[] = [];
  let count = 0;
  return {
    /** The conversation of a request, and the request before it. */
    take(request: ModelRequestBody): { conversation: Conversation; before?: ModelRequestBody } {
      const [best] = open
        .map((conversation) => ({ conversation, kinship: kinshipOf(conversation.last, request) }))
        .filter(({ kinship }) => kinship > 0)
        .sort((left, right) => right.kinship - left.kinship);
      if (best === undefined) {
        count += 1;
        const conversation = { number: count, last: request };
        open = [...open.slice(1 - maxOpen), conversation];
        return { conversation };
      }
      const { conversation } = best;
      const before = conversation.last;
      conversation.last = request;
      open = [...open.filter((one) => one !== conversation), conversation];
      return { conversation, before };
    },
  };
}

const messagesOf = ({ blocks }: ModelRequestBody) => blocks.filter(({ section }) => section === 'messages');
const headOf = ({ blocks }: ModelRequestBody, section: 'tools' | 'system') =>
  blocks.filter((block) => block.section === section).map(({ hash }) => hash);

/** Zero where they have nothing to do with each other. */
function kinshipOf(before: ModelRequestBody, now: ModelRequestBody): number {
  if (before.protocol !== now.protocol) return 0;
  if (before.session !== undefined && now.session !== undefined && before.session !== now.session) return 0;
  const isSame = (section: 'tools' | 'system') =>
    headOf(before, section).join() === headOf(now, section).join() && headOf(now, section).length > 0;
  const ways = [before.model === now.model, isSame('system'), isSame('tools')].filter(Boolean).length;
  if (ways === 0) return 0;
  const [old, fresh] = [messagesOf(before), messagesOf(now)];
  const said = new Set(old.filter(isSaid).map(({ hash }) => hash));
  const shared = fresh.filter((block) => isSaid(block) && said.has(block.hash)).length;
  const isContinued = fresh.some(({ part }) => part === 'summary') && isSame('tools');
  if (shared === 0 && !isContinued) return 0;
  return 1 + ways + 4 * firstDifference(old, fresh) + 2 * shared;
}

/** What the CLI itself adds stands in every conversation. */
const isSaid = ({ part }: RequestBlock) =>
  part === 'user' || part === 'assistant' || part === 'call' || part === 'result' || part === 'summary';
