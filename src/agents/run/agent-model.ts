// Which model answers for an agent: its CLI, as installed here.
import { GalleyError } from '../../core/model/error.js';
import type { AgentCliName } from '../../models/cli/agent-cli.js';
import { agentClis } from '../../models/cli/agent-clis.js';
import { cliModel } from '../../models/cli/cli-model.js';
import { findAgentCli } from '../../models/cli/find-agent-cli.js';
import type { Model, Timeouts } from '../../models/model.js';
import type { AgentType } from '../agent-type.js';

const cliOf: Partial<Record<AgentType, AgentCliName>> = {
  'claude-code': 'claude',
  'openai-codex': 'codex',
  'google-gemini': 'gemini',
};

const defaultTotalMs = 600_000;

export interface AgentModelOptions {
  readonly folder: string;
  readonly native: boolean;
  readonly model?: string | undefined;
  readonly timeoutMs?: number | undefined;
  readonly firstByteTimeoutMs?: number | undefined;
}

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
