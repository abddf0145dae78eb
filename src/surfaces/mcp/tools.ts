// Every operation as a tool: the name is its id with underscores.
import type { Tool } from '@modelcontextprotocol/server';
import type { Grant } from '../../operations/operation.js';
import { operationIds } from '../../operations/table.js';
import type { DescribedTool } from './describe-tools.js';
import { readyTools } from './ready-tools.js';
import { toolName } from './tool-name.js';

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

let described: Promise<readonly DescribedTool[]> | undefined;

export async function listTools(offer: Offer): Promise<Tool[]> {
  // Once, since schemas do not change while we run.
  described ??= describedTools();
  const tools = await described;
  return tools
    .filter(({ id, grant }) => isOffered(id, offer) && offer.grants.has(grant))
    .map(({ tool }) => tool);
}

async function describedTools(): Promise<readonly DescribedTool[]> {
  return readyTools() ?? (await import('./describe-tools.js')).describeTools();
}
