// Every operation as a tool: the name is its id with underscores.

import { readFileSync } from 'node:fs';
import type { Tool } from '@modelcontextprotocol/server';
import type { Grant } from '../../operations/operation.js';
import { operationIds } from '../../operations/table.js';
import type { DescribedTool } from './describe-tools.js';
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
  return prebuiltTools() ?? (await import('./describe-tools.js')).describeTools();
}

// The tools as they were written down when the package was built: to describe them anew, every operation has to be loaded.
// A checkout that was not built has none.
export function prebuiltTools(): readonly DescribedTool[] | undefined {
  try {
    return JSON.parse(readFileSync(new URL('tools.json', import.meta.url), 'utf8'));
  } catch {
    return undefined;
  }
}
