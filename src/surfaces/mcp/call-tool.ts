// Runs an operation as a tool. A refusal is an answer the model can read; only a tool that does not exist breaks the protocol.
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { GalleyError, toGalleyError } from '../../core/model/error.js';
import { redactedByDefault } from '../../operations/redact-field.js';
import type { Engine } from '../engine.js';
import { progressDoor } from './progress.js';
import { protocolError } from './protocol-error.js';
import { type Offer, operationOfTool } from './tools.js';

export interface ToolBench {
  readonly engine: Engine;
  readonly offer: Offer;
}

export interface ToolCall {
  readonly name: string;
  readonly arguments?: Record<string, unknown> | undefined;
}

export async function callTool(
  { engine, offer }: ToolBench,
  { name, arguments: request = {} }: ToolCall,
  context: ServerContext,
): Promise<CallToolResult> {
  const id = operationOfTool(name, offer);
  if (id === undefined) {
    throw protocolError(
      new GalleyError('UNKNOWN_OPERATION', 'There is no tool of that name; tools/list names them.'),
    );
  }
  const { settled, ...progress } = progressDoor(context);
  try {
    const answer = await engine.call(id, redactedByDefault(id, request), {
      ...progress,
      signal: context.mcpReq.signal,
    });
    await settled();
    return resultOf(answer);
  } catch (error) {
    await settled();
    return { ...resultOf({ error: toGalleyError(error) }), isError: true };
  }
}

function resultOf(answer: unknown): CallToolResult {
  const text = JSON.stringify(answer ?? null);
  const value: unknown = JSON.parse(text);
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return {
    content: [{ type: 'text', text }],
    ...(isRecord ? { structuredContent: value as Record<string, unknown> } : {}),
  };
}
