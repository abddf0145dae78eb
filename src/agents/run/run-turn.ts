// One turn through an agent: set it, send it, hand back the answer with the receipt of what was sent.
import { GalleyError } from '../../core/model/error.js';
import type { Receipt } from '../../core/model/receipt.js';
import type { Finish, Model, Timeouts, Usage } from '../../models/model.js';
import type { AgentType } from '../agent-type.js';
import { assembleTurn } from '../assemble-turn.js';
import type { AssemblerInput } from '../assembler-input.js';

export interface TurnRun {
  readonly model: Model;
  readonly timeouts: Timeouts;
  readonly signal: AbortSignal;
  /** Whether the model takes system text for every agent in a channel of its own. */
  readonly native?: boolean;
  readonly onText?: ((text: string) => void) | undefined;
}

export interface TurnAnswer {
  readonly answer: string;
  readonly finish: Finish;
  readonly usage?: Usage;
  readonly model?: string;
  readonly receipt: Receipt;
}

export async function runTurn(
  agentType: AgentType,
  input: AssemblerInput,
  run: TurnRun,
): Promise<TurnAnswer> {
  const { model, timeouts, signal, onText, native = false } = run;
  const { prompt, systemFlag, receipt } = assembleTurn(agentType, input, { native });
  if (prompt === '') {
    throw new GalleyError('INVALID_ARGUMENT', 'currentMessage: there is nothing to send; say something.', {
      details: { field: 'currentMessage' },
    });
  }
  const { text, ...rest } = await model.run(
    { prompt, system: systemFlag, timeouts },
    { signal, ...(onText === undefined ? {} : { onText }) },
  );
  return { answer: text, ...rest, receipt };
}
