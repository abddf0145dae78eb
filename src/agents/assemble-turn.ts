// A turn in the words of one agent, within its byte budget, with a receipt.
import { typeset } from '../core/assemble.js';
import { parseInput } from '../core/model/input.js';
import { partText } from '../core/model/prompt.js';
import type { Receipt } from '../core/model/receipt.js';
import { bytesMeter } from '../meters/bytes-meter.js';
import { hashText } from '../meters/content-hash.js';
import { type Placement, placed } from '../models/placement.js';
import type { AgentType } from './agent-type.js';
import { type AssemblerInput, assemblerInput } from './assembler-input.js';
import { type AgentDialect, withSystemApart } from './dialects/agent-dialect.js';
import { claudeCode } from './dialects/claude-code.js';
import { googleGemini } from './dialects/google-gemini.js';
import { openaiCodex } from './dialects/openai-codex.js';
import { plain } from './dialects/plain.js';
import { agentRecipe } from './recipe.js';
import { turnFragments, turnScope } from './turn-fragments.js';

export interface AssembledTurn {
  /** Goes to the agent's standard input. */
  readonly prompt: string;
  /** Goes where the agent takes system text; undefined when there is none or it stands in the prompt. */
  readonly systemFlag: string | undefined;
  readonly receipt: Receipt;
}

const dialects: Record<AgentType, AgentDialect> = {
  'claude-code': claudeCode,
  'openai-codex': openaiCodex,
  'google-gemini': googleGemini,
  unknown: plain,
};

const anywhere: Placement = { systemInPrompt: false, leadingLine: false };

export interface TurnOptions {
  /** The system text travels apart for every agent, without a marker: for callers that have a channel for it. */
  readonly native?: boolean;
  /** What the model that answers needs; nothing when left out. */
  readonly placement?: Placement;
}

export function assembleTurn(
  agentType: AgentType,
  input: AssemblerInput,
  { native = false, placement = anywhere }: TurnOptions = {},
): AssembledTurn {
  const checked = parseInput(assemblerInput, input);
  const isApart = native && !placement.systemInPrompt;
  const dialect = isApart ? withSystemApart(dialects[agentType]) : dialects[agentType];
  const press = placed(
    { recipe: agentRecipe(dialect.systemChannel), dialect, meter: bytesMeter, hash: hashText },
    placement,
  );
  const budget = { limit: { unit: 'bytes' as const, n: checked.maxBytes } };
  const { prompt, receipt } = typeset(press, { scope: turnScope, budget }, turnFragments(checked));
  const page = prompt.pages[0];
  return { prompt: partText(page, 'prompt'), systemFlag: partText(page, 'system') || undefined, receipt };
}
