// Clients of the earlier protocol open a session: that is how a later message can cancel an earlier one. The session that was
// silent longest makes room for a new one.
import { randomUUID } from 'node:crypto';
import {
  isInitializeRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { GalleyError } from '../../core/model/error.js';

const maxSessions = 64;

export interface Sessions {
  handle(request: Request, body: unknown): Promise<Response>;
  close(): Promise<void>;
}

export function sessionsOf(makeServer: () => Server): Sessions {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

  const open = async () => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: async (id) => {
        sessions.set(id, transport);
        const [oldest] = sessions.size > maxSessions ? sessions : [];
        sessions.delete(oldest?.[0] ?? '');
        await oldest?.[1].close();
      },
      onsessionclosed: (id) => {
        sessions.delete(id);
      },
    });
    await makeServer().connect(transport);
    return transport;
  };

  const find = (id: string) => {
    const transport = sessions.get(id);
    if (transport === undefined)
      throw new GalleyError('NOT_FOUND', 'There is no such session; open a new one.');
    sessions.delete(id);
    sessions.set(id, transport);
    return transport;
  };

  return {
    handle: async (request, body) => {
      const id = request.headers.get('mcp-session-id');
      if (id === null && !isInitializeRequest(body)) {
        throw new GalleyError(
          'INVALID_ARGUMENT',
          'Begin with "initialize", then name the session in Mcp-Session-Id.',
        );
      }
      const transport = id === null ? await open() : find(id);
      return transport.handleRequest(request, body === undefined ? {} : { parsedBody: body });
    },
    close: async () => {
      await Promise.all([...sessions.values()].map((transport) => transport.close()));
      sessions.clear();
    },
  };
}
