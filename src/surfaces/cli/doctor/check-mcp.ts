// What Galley itself takes of an agent's window: the list of its tools stands there at every turn.
import { countTokens } from '../../../models/contract/count-tokens.js';
import { everyGrant } from '../../engine.js';
import { listAgentTools } from '../../mcp/agent-tools.js';
import type { DoctorFinding } from './finding.js';

export async function checkMcp(): Promise<DoctorFinding> {
  const tokens = await countTokens(JSON.stringify(listAgentTools(everyGrant)));
  return { id: 'mcp', status: 'ok', found: String(tokens) };
}
