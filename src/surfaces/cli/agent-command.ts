// galley agent: a conversation on stdin becomes one turn on stdout.
import type { AssembledTurn } from '../../agents/assemble-turn.js';
import { agentOverview } from './agent-overview.js';
import { agentRequest, type TurnFlags } from './agent-request.js';
import { agentTalk } from './agent-talk.js';
import { explainReceipt } from './explain-receipt.js';
import { runOperation } from './run-operation.js';
import { word } from './words/word.js';

export interface AgentOptions extends TurnFlags {
  readonly explain?: boolean;
  readonly json?: boolean;
}

export async function agentCommand(options: AgentOptions): Promise<void> {
  const request = await agentRequest(options);
  if (request === undefined) return agentOverview();
  const turn = (await runOperation('agents:assemble', request)) as AssembledTurn;
  for (const line of agentTalk(options.agent, turn.receipt)) process.stderr.write(`galley: ${line}\n`);
  if (options.explain) process.stderr.write(explainReceipt(turn.receipt));
  if (options.json) process.stdout.write(`${JSON.stringify(turn)}\n`);
  else {
    process.stdout.write(`${turn.prompt}\n`);
    if (turn.systemFlag !== undefined) {
      process.stderr.write(`galley: ${word('agent.apart')}\n`);
    }
  }
}
