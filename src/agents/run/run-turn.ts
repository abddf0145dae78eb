// One turn through an agent CLI as installed here: set it, send it, hand back the answer with the receipt of what was sent.
import { GalleyError } from '../../core/model/error.js';
import type { Receipt } from '../../core/model/receipt.js';
import { askModel } from '../../models/ask-model.js';
import type { Catalog } from '../../models/catalog/catalog.js';
import type { AgentCliName } from '../../models/cli/agent-cli.js';
import { cliModel } from '../../models/cli/cli-model.js';
import { agentClis, findAgentCli } from '../../models/cli/find-agent-cli.js';
import type { AgentEvent, Permission } from '../../models/contract/agent-event.js';
import type { Finish, Model, RunRecord, Timeouts, Usage } from '../../models/contract/model.js';
import { sealFor } from '../../models/contract/placement.js';
import { otherAgentModel, otherAgents } from '../../models/other-agents/other-agents.js';
import { assembleTurn, refuseLostMessage, type TurnNotes } from '../assemble-turn.js';
import { type AgentType, type AssemblerInput, agentTypeOf } from '../assembler-input.js';
import { turnMeter } from '../turn-meter.js';
import { instructionFile } from './instruction-file.js';
import { refusedTools, type TurnDeeds, watchTurn } from './watch-turn.js';

interface TurnRun extends TurnNotes {
  readonly model: Model;
  readonly timeouts: Timeouts;
  readonly signal: AbortSignal;
  /** Whether the model takes system text for every agent in a channel of its own. */
  readonly native?: boolean;
  /** Prices and windows; the built-in ones when left out. */
  readonly catalog?: Catalog | undefined;
  readonly onText?: ((text: string) => void) | undefined;
  readonly onEvent?: ((event: AgentEvent) => void) | undefined;
}

export interface TurnAnswer extends TurnDeeds {
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
  const { onEvent, deeds } = watchTurn(run.onEvent);
  const meter = await turnMeter(agentType, input);
  const sealed = await sealFor(model, (placement) => {
    const { rejections, keepsMessage } = run;
    const options = { native, placement, meter, rejections, keepsMessage };
    const { prompt, systemFlag = '', receipt } = assembleTurn(agentType, input, options);
    refuseLostMessage({ receipt });
    return { system: systemFlag, prompt, receipt };
  });
  if (sealed.prompt === '') {
    throw new GalleyError('INVALID_ARGUMENT', 'currentMessage: there is nothing to send; say something.', {
      details: { field: 'currentMessage' },
    });
  }
  const { answer, record } = await askModel(model, sealed, {
    ...{ kind: 'agent-turn', timeouts, signal, catalog, onEvent },
    ...(onText === undefined ? {} : { onText }),
  });
  const { text, attempts: _, ...rest } = answer;
  const done = deeds();
  const refused = refusedTools(done.refusals);
  const runs = [refused.length === 0 ? record : { ...record, refused }];
  const dollars = done.cost?.dollars ?? record.cost?.dollars;
  const cost = dollars === undefined ? {} : { cost: { dollars } };
  return { answer: text, ...rest, ...done, ...cost, runs, receipt: sealed.receipt };
}

/** The turn with the project's own words to its agents, where the CLI would not read them itself and the caller gave none. */
export async function withInstructionFile<Turn extends Pick<AssemblerInput, 'instructionFileText'>>(
  agentType: AgentType,
  turn: Turn,
  folder: string,
): Promise<Turn> {
  if (turn.instructionFileText !== undefined) return turn;
  const instructionFileText = await instructionFile(agentType, folder);
  return instructionFileText === undefined ? turn : { ...turn, instructionFileText };
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
  /** What the agent may do in its folder. */
  readonly may: Permission;
  readonly resume?: string | undefined;
  readonly keepSession?: boolean | undefined;
  readonly model?: string | undefined;
  readonly timeoutMs?: number | undefined;
  readonly firstByteTimeoutMs?: number | undefined;
}

/** Which model answers for an agent: its CLI, as installed here. */
export async function agentModel(
  called: string,
  options: AgentModelOptions,
): Promise<{ model: Model; timeouts: Timeouts }> {
  const name = cliOf[agentTypeOf(called)];
  if (name === undefined) return otherModel(called, options);
  const cli = agentClis[name];
  const { folder, native, may, resume, keepSession = false, model } = options;
  if (native && (may !== 'read' || resume !== undefined || keepSession))
    throw new GalleyError(
      'INVALID_ARGUMENT',
      'native: such a run has no tools and no session; leave it out, or leave out may, resume and keepSession.',
      { details: { field: 'native' } },
    );
  const command = await findAgentCli(name);
  const totalMs = options.timeoutMs ?? defaultTotalMs;
  const chosen = { ...(model === undefined ? {} : { model }), ...(resume === undefined ? {} : { resume }) };
  return {
    model: cliModel(cli, { command, folder, native, may, keepSession, ...chosen }),
    timeouts: { totalMs, firstByteMs: Math.min(totalMs, options.firstByteTimeoutMs ?? cli.firstByteMs) },
  };
}

const otherFirstByteMs = 120_000;

/** An agent that is known by its description only: it has no system text of its own, no session to go on with, and chooses its model itself. */
async function otherModel(
  called: string,
  { folder, may, native, resume, keepSession = false, model, ...clocks }: AgentModelOptions,
): Promise<{ model: Model; timeouts: Timeouts }> {
  const others = await otherAgents();
  const agent = Object.hasOwn(others, called) ? others[called] : undefined;
  if (agent === undefined) {
    const known = [...Object.values(cliOf), ...Object.keys(others)].join(', ');
    throw new GalleyError('MODEL_NOT_CONFIGURED', `There is no such agent here; agentType can be ${known}.`, {
      details: { field: 'agentType' },
    });
  }
  const field = native ? 'native' : resume !== undefined ? 'resume' : keepSession ? 'keepSession' : 'model';
  if (native || keepSession || resume !== undefined || model !== undefined)
    throw new GalleyError('INVALID_ARGUMENT', `${field}: only claude, codex and gemini take it.`, {
      details: { field },
    });
  const totalMs = clocks.timeoutMs ?? defaultTotalMs;
  return {
    model: await otherAgentModel(called, agent, { folder, may }),
    timeouts: { totalMs, firstByteMs: Math.min(totalMs, clocks.firstByteTimeoutMs ?? otherFirstByteMs) },
  };
}
