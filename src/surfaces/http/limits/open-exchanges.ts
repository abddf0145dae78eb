// What is under way on each connection. Nobody may ask again and again on one connection without taking the answers, and when
// the server ends, connections that have not asked for anything yet do not keep it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface OpenExchanges {
  watch(socket: Socket): void;
  /** False when too many wait on the connection already. */
  begin(incoming: IncomingMessage, outgoing: ServerResponse): boolean;
  /** Ends connections that are silent or in the middle of a request. */
  endUnasked(): void;
}

const mostOnOneConnection = 32;

export function openExchanges(): OpenExchanges {
  const open = new Map<Socket, Set<IncomingMessage>>();
  return {
    watch: (socket) => {
      open.set(socket, new Set());
      socket.once('close', () => open.delete(socket));
    },
    begin: (incoming, outgoing) => {
      const asked = open.get(incoming.socket);
      if (asked === undefined || asked.size >= mostOnOneConnection) return false;
      asked.add(incoming);
      outgoing.once('close', () => asked.delete(incoming));
      return true;
    },
    endUnasked: () => {
      for (const [socket, asked] of open) if (![...asked].some(({ complete }) => complete)) socket.destroy();
    },
  };
}
