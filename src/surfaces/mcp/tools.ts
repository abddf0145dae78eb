// Which tools a server offers: the few for agents, or every operation, by what its callers may do and of which families.
import { readFileSync } from 'node:fs';
import type { Tool } from '@modelcontextprotocol/server';
import type { Grant } from '../../operations/operation.js';
import { isAllowed } from '../allowed-sessions.js';
import { listAgentTools } from './agent-tools.js';
import type { DescribedTool } from './describe-tools.js';

export interface Offer {
  readonly grants: ReadonlySet<Grant>;
  /** A tool for each operation, in place of the few for agents. */
  readonly everyOperation: boolean;
  /** Of which families, when not of all. */
  readonly families?: ReadonlySet<string> | undefined;
}

export const familyOf = (id: string): string => id.split(':')[0] ?? id;

const isOffered = (id: string, { families }: Offer) => isAllowed(id) && (families?.has(familyOf(id)) ?? true);

export async function operationOfTool(name: string, offer: Offer): Promise<string | undefined> {
  if (!offer.everyOperation) return undefined;
  return (await describedTools()).find(({ id, tool }) => tool.name === name && isOffered(id, offer))?.id;
}

export async function listTools(offer: Offer): Promise<Tool[]> {
  if (!offer.everyOperation) return listAgentTools(offer.grants);
  return (await describedTools())
    .filter(({ id, grant }) => isOffered(id, offer) && offer.grants.has(grant))
    .map(({ tool }) => tool);
}

let described: Promise<readonly DescribedTool[]> | undefined;

/** Once, since schemas do not change while we run. */
function describedTools(): Promise<readonly DescribedTool[]> {
  described ??= (async () => prebuiltTools() ?? (await import('./describe-tools.js')).describeTools())();
  return described;
}

/**
 * The tools as they were written down when the package was built: to describe them anew, every operation has to be loaded. A
 * checkout that was not built has none.
 */
export function prebuiltTools(): readonly DescribedTool[] | undefined {
  try {
    return JSON.parse(readFileSync(new URL('tools.json', import.meta.url), 'utf8'));
  } catch {
    return undefined;
  }
}
