// What counts the tokens of a turn: the meter that was named, the one of the model that was named, or the usual one of the agent.
import { GalleyError } from '../core/model/error.js';
import type { Meter } from '../core/model/meter.js';
import { loadMeter, meterIds } from '../meters/load-meter.js';
import { meterForModel, unknownModelMeter } from '../meters/meter-for-model.js';
import type { AgentType, AssemblerInput } from './assembler-input.js';

const usualMeters: Readonly<Record<AgentType, string>> = {
  'claude-code': 'claude-estimate-4.7',
  'openai-codex': 'o200k_base',
  'google-gemini': 'gemini-estimate',
  unknown: unknownModelMeter,
};

/** Undefined for a turn whose budget is in bytes. */
export async function turnMeter(
  agentType: AgentType,
  { maxTokens, meter: name }: Pick<AssemblerInput, 'maxTokens' | 'meter'>,
): Promise<Meter | undefined> {
  if (maxTokens === undefined) return undefined;
  const meter = await loadMeter(name === undefined ? usualMeters[agentType] : meterNamed(name));
  if (meter.unit === 'tokens') return meter;
  throw new GalleyError('INVALID_ARGUMENT', `meter: counts ${meter.unit}, but maxTokens is in tokens.`, {
    details: { field: 'meter' },
  });
}

const meterNamed = (name: string) => (meterIds.includes(name) ? name : meterForModel(name).meter);
