// Which requests of a client wait for their answer? So many and no more; messages that expect none always pass, so that a client
// can cancel what it asked for.
import type { JSONRPCMessage } from '@modelcontextprotocol/server';

export interface OpenRequests {
  /** False when too many wait already. */
  begin(message: JSONRPCMessage): boolean;
  /** Notes an answer on its way. */
  end(message: JSONRPCMessage): void;
}

const mostAtOnce = 512;

export function openRequests(): OpenRequests {
  const open = new Set<unknown>();
  return {
    begin: (message) => {
      if (!('method' in message)) return true;
      // What was cancelled is not answered.
      if (message.method === 'notifications/cancelled') open.delete(message.params?.requestId);
      if (!('id' in message)) return true;
      if (open.size >= mostAtOnce) return false;
      open.add(message.id);
      return true;
    },
    end: (message) => {
      if (!('method' in message)) open.delete(message.id);
    },
  };
}
