// Which agent CLIs could be run from here? Only looked for, never started.
import type { AgentCliName } from '../../models/cli/agent-cli.js';
import { agentClis, findAgentCli } from '../../models/cli/find-agent-cli.js';

export interface InstalledAgents {
  readonly here: readonly AgentCliName[];
  readonly missing: readonly AgentCliName[];
}

export async function installedAgents(env: NodeJS.ProcessEnv = process.env): Promise<InstalledAgents> {
  const names = Object.keys(agentClis) as AgentCliName[];
  const found = await Promise.all(
    names.map((name) =>
      findAgentCli(name, { environment: env }).then(
        () => true,
        () => false,
      ),
    ),
  );
  return { here: names.filter((_, at) => found[at]), missing: names.filter((_, at) => !found[at]) };
}
