// Every operation as a tool: the name is its id with underscores, the schema is its own, the hints follow from what it may do.
import type { Tool, ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Grant, Operation } from '../../operations/operation.js';
import { findOperation, operationIds } from '../../operations/table.js';

export const toolName = (id: string): string => id.replaceAll(':', '_');

const idsByName = new Map(operationIds.map((id) => [toolName(id), id]));

export function operationOfTool(name: string): string | undefined {
  return idsByName.get(name);
}

/** The tools a caller with these grants can use. */
export async function listTools(grants: ReadonlySet<Grant>): Promise<Tool[]> {
  const operations = await Promise.all(operationIds.map(findOperation));
  return operations
    .filter((operation) => operation !== undefined)
    .filter(({ grant }) => grants.has(grant))
    .map(toolOf);
}

function toolOf({ id, summary, input, grant }: Operation): Tool {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return {
    name: toolName(id),
    title: id,
    description: summary,
    inputSchema: { ...schema, type: 'object' } as Tool['inputSchema'],
    annotations: hints[grant],
  };
}

const reads: ToolAnnotations = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };

const hints: Readonly<Record<Grant, ToolAnnotations>> = {
  read: reads,
  inspect: reads,
  write: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  // A model or an agent may do whatever it was made to do.
  run: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
};
