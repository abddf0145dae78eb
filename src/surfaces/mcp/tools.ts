// Every operation as a tool: the name is its id with underscores, the hints follow from what it may do. Schemas of answers are not
// listed: they are four times as long as everything else, and a client may hand the list to its model at every turn.
import type { Tool, ToolAnnotations } from '@modelcontextprotocol/server';
import type { Grant, Operation } from '../../operations/operation.js';
import { requestSchema } from '../../operations/published-schema.js';
import { findOperation, operationIds } from '../../operations/table.js';

export const toolName = (id: string): string => id.replaceAll(':', '_');

/** Which operations a server offers: what its callers may do, and of which families when not of all. */
export interface Offer {
  readonly grants: ReadonlySet<Grant>;
  readonly families?: ReadonlySet<string> | undefined;
}

export const familyOf = (id: string): string => id.split(':')[0] ?? id;

const isOffered = (id: string, { families }: Offer) => families?.has(familyOf(id)) ?? true;

export function operationOfTool(name: string, offer: Offer): string | undefined {
  return operationIds.find((id) => toolName(id) === name && isOffered(id, offer));
}

/** Described once, since schemas do not change while we run. */
const described = new Map<string, { readonly tool: Tool; readonly grant: Grant }>();

export async function listTools(offer: Offer): Promise<Tool[]> {
  const tools = await Promise.all(operationIds.filter((id) => isOffered(id, offer)).map(describeTool));
  return tools.filter(({ grant }) => offer.grants.has(grant)).map(({ tool }) => tool);
}

async function describeTool(id: string) {
  const known = described.get(id);
  if (known !== undefined) return known;
  const operation = (await findOperation(id)) as Operation;
  const fresh = { tool: toolOf(operation), grant: operation.grant };
  described.set(id, fresh);
  return fresh;
}

function toolOf({ id, summary, input, grant }: Operation): Tool {
  return {
    name: toolName(id),
    title: id,
    description: summary,
    inputSchema: { ...requestSchema(input), type: 'object' } as Tool['inputSchema'],
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
