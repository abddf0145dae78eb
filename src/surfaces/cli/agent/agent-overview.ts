// galley agent without a message: which CLIs are installed, and the next command. All of it is talk, since a program may read
// standard output as a prompt.

import type { AgentCliName } from '../../../models/cli/agent-cli.js';
import { agentClis, findAgentCli } from '../../../models/cli/find-agent-cli.js';
import { commandList } from '../terminal/table.js';
import { wrapped } from '../terminal/text-width.js';
import { word } from '../words/word.js';

/** Nothing was sent, which stays a slip of usage for whoever reads exit codes. */
export async function agentOverview(): Promise<void> {
  const { here, missing } = await installedAgents();
  const titles = (names: typeof here) => names.map((name) => agentClis[name].title).join(word('list.comma'));
  const [agent] = here;
  const installed =
    agent === undefined
      ? [word('agent.none-here', { list: titles(missing) })]
      : [
          word('agent.here', { list: titles(here) }),
          ...(missing.length === 0 ? [] : [word('agent.not-here', { list: titles(missing) })]),
        ];
  const steps: [string, string][] = [
    [`galley agent${flagFor(agent)} --message "Hi" --explain`, word('agent.try-show')],
    ...(agent === undefined ? [] : [runStep(agent)]),
    [`galley agent${flagFor(agent)} < conversation.jsonl`, word('agent.try-talk')],
    ['galley agent --help', word('here.help')],
  ];
  const width = process.stderr.columns ?? 100;
  const said = [word('agent.nothing'), installed.join(' ')].map((line) => wrapped(line, width));
  process.stderr.write(`${said.join('\n')}\n\n${word('here.next')}\n${commandList(steps, width)}`);
  process.exitCode = 2;
}

function runStep(agent: string): [string, string] {
  return [`galley agent run${flagFor(agent)} --message "Hi"`, word('agent.try-run')];
}

/** Claude Code is the one that is meant without a name. */
function flagFor(agent: string | undefined): string {
  return agent === undefined || agent === 'claude' ? '' : ` --agent ${agent}`;
}

interface InstalledAgents {
  readonly here: readonly AgentCliName[];
  readonly missing: readonly AgentCliName[];
}

/** Which agent CLIs could be run from here? Only looked for, never started. */
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
