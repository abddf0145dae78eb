// One turn through an agent: set it, send it, hand back the answer with the receipt of what was sent.
import { GalleyError } from '../../core/model/error.js';
import type { Receipt } from '../../core/model/receipt.js';
import type { RunRecord } from '../../core/model/run-record.js';
import { askModel } from '../../models/ask-model.js';
import type { Catalog } from '../../models/catalog/catalog.js';
import type { Finish, Model, Timeouts, Usage } from '../../models/model.js';
import { sealFor } from '../../models/placement.js';
import type { AgentType } from '../agent-type.js';
import { assembleTurn } from '../assemble-turn.js';
import type { AssemblerInput } from '../assembler-input.js';

export interface TurnRun {
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
  const sealed = await sealFor(model, (placement) => {
    const { prompt, systemFlag = '', receipt } = assembleTurn(agentType, input, { native, placement });
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
