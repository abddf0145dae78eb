// What a client is told about each tool; the hints follow from what it may do. Schemas of answers are not listed: they are four
// times as long as everything else, and a client may hand the list to its model at every turn.
import type { Tool, ToolAnnotations } from '@modelcontextprotocol/server';
import { requestSchema } from '../../operations/describe-schema.js';
import type { Grant, Operation } from '../../operations/operation.js';
import { findOperation, operationIds } from '../../operations/table.js';

export interface DescribedTool {
  readonly id: string;
  readonly grant: Grant;
  readonly tool: Tool;
}

export function describeTools(): Promise<readonly DescribedTool[]> {
  return Promise.all(operationIds.map(describeTool));
}

async function describeTool(id: string): Promise<DescribedTool> {
  const { summary, input, grant } = (await findOperation(id)) as Operation;
  const tool: Tool = {
    name: id.replaceAll(':', '_'),
    title: id,
    description: summary,
    inputSchema: { ...requestSchema(input), type: 'object' } as Tool['inputSchema'],
    annotations: hints[grant],
  };
  return { id, grant, tool };
}

const reads: ToolAnnotations = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };

const hints: Readonly<Record<Grant, ToolAnnotations>> = {
  read: reads,
  inspect: reads,
  write: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  // A model or an agent may do whatever it was made to do.
  run: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
};
