// One turn through an agent CLI as installed here: set it, send it, hand back the answer with the receipt of what was sent.
import { GalleyError } from '../../core/model/error.js';
import type { Receipt } from '../../core/model/receipt.js';
import { askModel } from '../../models/ask-model.js';
import type { Catalog } from '../../models/catalog/catalog.js';
import type { AgentCliName } from '../../models/cli/agent-cli.js';
import { cliModel } from '../../models/cli/cli-model.js';
import { agentClis, findAgentCli } from '../../models/cli/find-agent-cli.js';
import type { Permission } from '../../models/contract/agent-event.js';
import type { Finish, Model, RunRecord, Timeouts, Usage } from '../../models/contract/model.js';
import { sealFor } from '../../models/contract/placement.js';
import { assembleTurn, type TurnNotes } from '../assemble-turn.js';
import type { AgentType, AssemblerInput } from '../assembler-input.js';
import { turnMeter } from '../turn-meter.js';

interface TurnRun extends TurnNotes {
  readonly model: Model;
  readonly timeouts: Timeouts;
  readonly signal: AbortSignal;
  /** Whether the model takes system text for every agent in a channel of its own. */
  readonly native?: boolean;
  /** Prices and windows; the built-in ones when left out. */
  readonly catalog?: Catalog | undefined;
  readonly onText?: ((text: string) => void) | undefined;
}

export interface TurnAnswer {
  readonly answer: string;
  readonly finish: Finish;
  readonly usage?: Usage;
  readonly model?: string;
  readonly runs: readonly RunRecord[];
  readonly receipt: Receipt;
}

export async function runTurn(
  agentType: AgentType,
  input: AssemblerInput,
  run: TurnRun,
): Promise<TurnAnswer> {
  const { model, timeouts, signal, catalog, onText, native = false } = run;
  const meter = await turnMeter(agentType, input);
  const sealed = await sealFor(model, (placement) => {
    const { rejections, keepsMessage } = run;
    const options = { native, placement, meter, rejections, keepsMessage };
    const { prompt, systemFlag = '', receipt } = assembleTurn(agentType, input, options);
    return { system: systemFlag, prompt, receipt };
  });
  if (sealed.prompt === '') {
    throw new GalleyError('INVALID_ARGUMENT', 'currentMessage: there is nothing to send; say something.', {
      details: { field: 'currentMessage' },
    });
  }
  const { answer, record } = await askModel(model, sealed, {
    ...{ kind: 'agent-turn', timeouts, signal, catalog },
    ...(onText === undefined ? {} : { onText }),
  });
  const { text, attempts: _, ...rest } = answer;
  return { answer: text, ...rest, runs: [record], receipt: sealed.receipt };
}

const cliOf: Partial<Record<AgentType, AgentCliName>> = {
  'claude-code': 'claude',
  'openai-codex': 'codex',
  'google-gemini': 'gemini',
};

const defaultTotalMs = 600_000;

interface AgentModelOptions {
  readonly folder: string;
  readonly native: boolean;
  /** What it may do in the folder. */
  readonly permission?: Permission | undefined;
  readonly model?: string | undefined;
  readonly timeoutMs?: number | undefined;
  readonly firstByteTimeoutMs?: number | undefined;
}

/** Which model answers for an agent: its CLI, as installed here. */
export async function agentModel(
  agentType: AgentType,
  options: AgentModelOptions,
): Promise<{ model: Model; timeouts: Timeouts }> {
  const name = cliOf[agentType];
  if (name === undefined) {
    throw new GalleyError(
      'MODEL_NOT_CONFIGURED',
      `There is no CLI for this agent; agentType must be one of ${Object.values(cliOf).join(', ')}.`,
      { details: { field: 'agentType' } },
    );
  }
  const cli = agentClis[name];
  const { folder, native, model } = options;
  const command = await findAgentCli(name);
  const totalMs = options.timeoutMs ?? defaultTotalMs;
  return {
    model: cliModel(cli, { command, folder, native, ...(model === undefined ? {} : { model }) }),
    timeouts: { totalMs, firstByteMs: Math.min(totalMs, options.firstByteTimeoutMs ?? cli.firstByteMs) },
  };
}
