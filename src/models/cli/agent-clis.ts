// The agent CLIs we can run.
import type { AgentCli, AgentCliName } from './agent-cli.js';
import { claude } from './claude.js';
import { codex } from './codex.js';
import { gemini } from './gemini.js';

export const agentClis: Readonly<Record<AgentCliName, AgentCli>> = { claude, codex, gemini };
