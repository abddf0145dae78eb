// The operation table as an MCP server: tools, resources and prompts. It keeps nothing between requests but its engine and the review
// whose pages are being read.
import { Server } from '@modelcontextprotocol/server';
import { galleyVersion } from '../../core/model/version.js';
import type { Grant } from '../../operations/operation.js';
import { type Engine, type EngineCall, everyGrant } from '../engine.js';
import { callTool, resultOfFollow } from './call-tool.js';
import { serveTasks, tasksExtension } from './job-tasks.js';
import { getPrompt, listPrompts } from './prompts.js';
import { protocolError } from './protocol-error.js';
import { listResources, listResourceTemplates, readResource } from './resources.js';
import { reviewReader } from './review-page.js';
import { listTools } from './tools.js';

export interface McpServerOptions {
  readonly engine: Engine;
  /** Answers what clients ask unbidden; the engine itself unless told. It should make no file. */
  readonly browser?: Engine | undefined;
  readonly folder: string;
  /** Whose resources and prompts are listed. */
  readonly projectId: string;
  readonly grants?: ReadonlySet<Grant> | undefined;
  /** A tool for each operation; otherwise the few that agents need. */
  readonly everyOperation?: boolean | undefined;
  /** First words of the operations that become tools, when not of all. */
  readonly families?: ReadonlySet<string> | undefined;
}

const instructions =
  'Galley gathers what a model needs to know and fits it into a budget: a change for its reviewer, the code for a task, the context ' +
  'of a chapter. It says what stayed out and why. Long answers come in pages.';

export function createMcpServer(options: McpServerOptions): Server {
  const { engine, browser = engine, folder, projectId, grants = everyGrant, families } = options;
  const offer = { grants, families, everyOperation: options.everyOperation ?? families !== undefined };
  const server = new Server(
    { name: 'galley', title: 'Galley', version: galleyVersion },
    {
      capabilities: { tools: {}, resources: {}, prompts: {}, extensions: { [tasksExtension]: {} } },
      instructions,
    },
  );
  const place = { engine, projectId, grants, review: reviewReader({ engine, folder }) };

  server.setRequestHandler('tools/list', async () => ({ tools: await listTools(offer) }));
  server.setRequestHandler('tools/call', ({ params }, context) =>
    callTool({ place, offer }, params, context),
  );
  serveTasks(server, { engine, resultOf: (job) => resultOfFollow(job, offer) });
  server.setRequestHandler('resources/templates/list', () => listResourceTemplates());
  server.setRequestHandler('resources/list', (_, context) =>
    guarded(context, (call) => listResources(browser, projectId, call)),
  );
  server.setRequestHandler('resources/read', ({ params }, context) =>
    guarded(context, (call) => readResource(browser, params.uri, call)),
  );
  server.setRequestHandler('prompts/list', (_, context) =>
    guarded(context, (call) => listPrompts({ ...place, engine: browser }, call)),
  );
  server.setRequestHandler('prompts/get', ({ params }, context) =>
    guarded(context, (call) => getPrompt(place, params, call)),
  );
  return server;
}

async function guarded<T>(
  { mcpReq }: { readonly mcpReq: { readonly signal: AbortSignal } },
  work: (call: EngineCall) => Promise<T>,
): Promise<T> {
  try {
    return await work({ signal: mcpReq.signal });
  } catch (error) {
    throw protocolError(error);
  }
}
