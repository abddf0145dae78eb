// An agent nobody here knows as a model: a command that takes the prompt and says its answer, as text or as events like Claude's.
import { GalleyError } from '../../core/model/error.js';
import { parseEvent } from '../answer/json-fields.js';
import type { EventReader } from '../cli/agent-cli.js';
import { type ChildEnvironment, childEnvironment } from '../cli/child-environment.js';
import { claudeEvents } from '../cli/claude-events.js';
import { type AgentName, cancelledRun, notStarted, stoppedBy } from '../cli/cli-failure.js';
import { type LineNews, runProcess } from '../cli/run-process.js';
import { namingIn } from '../cli/tool-target.js';
import type { Permission } from '../contract/agent-event.js';
import { type Model, type ModelAnswer, maxAnswer, type RunOptions } from '../contract/model.js';
import { checkRequest } from '../contract/placement.js';

/** How an agent that we know by its description is started. */
export interface AgentStart {
  readonly agent: AgentName;
  /** The executable and what comes behind it. */
  readonly command: readonly [string, ...string[]];
  readonly folder: string;
  readonly may: Permission;
  /** Names of variables the agent needs; a name ending in `*` is a beginning. */
  readonly variables: readonly string[];
  /** Set for it, whatever the user's environment says. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly environment?: NodeJS.ProcessEnv;
  readonly graceMs?: number;
}

interface PlainAgentOptions extends AgentStart {
  readonly prompt: 'stdin' | 'argument';
  readonly answer: 'text' | 'claude-events';
}

export function startEnvironment({
  variables,
  settings,
  environment = process.env,
}: AgentStart): ChildEnvironment {
  return { ...childEnvironment(variables, environment), ...settings };
}

export function plainAgentModel(options: PlainAgentOptions): Model {
  const { agent, folder } = options;
  const self: Model = {
    id: `agent/${agent.name}`,
    family: 'cli',
    systemInPrompt: () => true,
    run: async (request, run) => {
      checkRequest(self, request);
      if (run.signal.aborted) throw cancelledRun(agent, run.signal);
      if (options.may === 'run') run.onEvent?.({ kind: 'warning', ...nothingConfines });
      const [command, ...args] = options.command;
      const isArgument = options.prompt === 'argument';
      const listener = options.answer === 'text' ? listenToText(run) : listenToEvents(folder, run);
      const end = await runProcess({
        ...{ command, folder, timeouts: request.timeouts, signal: run.signal },
        args: isArgument ? [...args, request.prompt] : args,
        input: isArgument ? '' : request.prompt,
        environment: startEnvironment(options),
        maxLine: 2 * maxAnswer,
        graceMs: options.graceMs ?? 2000,
        onLine: listener.hear,
      });
      if (end.kind === 'not-started') throw notStarted(agent, end.cause);
      if (end.stopped !== undefined) throw stoppedBy(agent, end.stopped, { signal: run.signal, end });
      const answer = listener.answer();
      if (end.exit !== 0 || answer === undefined) {
        const how = end.exit === 0 ? 'ended without a result' : `ended with exit code ${end.exit}`;
        throw new GalleyError('MODEL_UNAVAILABLE', `${agent.title} ${how}.`, {
          details: { cli: agent.name },
        });
      }
      run.onEvent?.({ kind: 'end', finish: answer.finish });
      return answer;
    },
  };
  return self;
}

const nothingConfines = {
  about: 'nothing-confines',
  message: 'Nothing confines this agent: it can do what you can.',
};

interface Listener {
  hear(line: string): LineNews;
  /** Nothing where it said nothing. */
  answer(): ModelAnswer | undefined;
}

function listenToText({ onText, onEvent }: RunOptions): Listener {
  let text = '';
  return {
    hear(line) {
      // Colours and other orders to a terminal are no words.
      const said = `${line.replace(terminalOrder, '').replace(/\r$/, '')}\n`;
      text += said;
      onText?.(said);
      onEvent?.({ kind: 'text', text: said });
      return text.length > maxAnswer ? 'too-large' : 'begun';
    },
    answer: () => (text.trim() === '' ? undefined : { text: text.trim(), finish: 'unknown' }),
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what orders to a terminal begin with.
const terminalOrder = /\u001b(?:\[[0-9;?]*[A-Za-z]|\][^\u0007]*\u0007)/g;

function listenToEvents(folder: string, { onText, onEvent }: RunOptions): Listener {
  const reader: EventReader = claudeEvents(namingIn(folder));
  let length = 0;
  return {
    hear(line) {
      const event = parseEvent(line);
      if (event === undefined) return 'nothing';
      const { begun, text, events = [] } = reader.read(event);
      for (const each of events) onEvent?.(each);
      if (text !== undefined) {
        length += text.length;
        onText?.(text);
        onEvent?.({ kind: 'text', text });
      }
      if (length > maxAnswer) return 'too-large';
      return begun ? 'begun' : 'nothing';
    },
    answer() {
      const outcome = reader.outcome();
      if (outcome.kind !== 'answered' || outcome.text.trim() === '') return undefined;
      const { kind: _, ...answer } = outcome;
      return answer;
    },
  };
}
