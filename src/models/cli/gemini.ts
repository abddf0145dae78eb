// Gemini CLI. Any @ that names something in its folder rewrites the prompt, so Galley's own runs stand in an empty one, and an
// agent's turn is refused.

import type { Permission } from '../contract/agent-event.js';
import {
  type AgentCli,
  type AgentTurn,
  type CliRequest,
  commandsAnywhere,
  type Invocation,
  type MentionRule,
  onlyReads,
  reasonOfStatus,
  type TurnWarning,
} from './agent-cli.js';
import { geminiEvents } from './gemini-events.js';
import { removeGeminiSession } from './session-files.js';

const noLogin = 41;
const badInput = 42;
/** Its exit code is the provider's status modulo 256. */
const statuses = [400, 401, 403, 404, 408, 413, 429, 500, 502, 503, 504];

/** Any @ counts, inside a word too; what it names may stand in quotes. */
const mention = /(?<!\\)@((?:"[^"]*"|\\.|[^ \t\n\r,;!?()[\]{}.]|\.(?!$|[ \t\n\r]))+)/g;

const mentions: MentionRule = {
  pattern: mention,
  isKnown: (word) => /^(?:codebase_investigator|cli_help|generalist|browser_agent)$/.test(word),
};

export const gemini: AgentCli = {
  name: 'gemini',
  title: 'Gemini CLI',
  install: 'npm install -g @google/gemini-cli',
  login: 'set GEMINI_API_KEY to a valid key and choose an auth method in its settings',
  oldest: '0.61.0',
  inputLimit: { unit: 'bytes', n: 4_000_000 },
  firstByteMs: 120_000,
  // It echoes the prompt first; with a large one the result would be lost at its exit.
  hasty: true,
  variables: [
    'GEMINI_API_KEY',
    'GEMINI_MODEL',
    'GEMINI_CLI_HOME',
    'GEMINI_CLI_SYSTEM_SETTINGS_PATH',
    'GOOGLE_API_KEY',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'GOOGLE_CLOUD_*',
    'GOOGLE_GENAI_*',
    'GOOGLE_GEMINI_BASE_URL',
    'GOOGLE_VERTEX_BASE_URL',
  ],
  failureOfExit(exit, complaint) {
    if (exit === noLogin) return { reason: 'authentication' };
    if (exit === badInput && /resuming session|session identifier/i.test(complaint))
      return { reason: 'no-session' };
    const status = statuses.find((known) => known % 256 === exit);
    return status === undefined ? undefined : { reason: reasonOfStatus(status), status };
  },
  // Names like ${AvailableTools} are replaced in a system file.
  rewritesSystem: (system) => /\$\{\w+\}/.test(system),
  commandMark: '/',
  mentions,
  warnings,
  prepare,
  events: geminiEvents,
  async settle(session, { environment, keepSession }) {
    if (!keepSession) await removeGeminiSession(session, environment);
    return {};
  },
};

/** Its file tools stay inside the folder in every mode. */
const modes: Record<Permission, string> = { read: 'plan', edit: 'auto_edit', run: 'yolo' };

/** A word behind an @ that names nothing is looked for by its letters in every file name, with the tool it has for that. */
const searchesNames = (prompt: string) => prompt.search(mention) >= 0;
const withoutSearch = '[[rule]]\ntoolName = "glob"\ndecision = "deny"\npriority = 900\n';

function warnings({ may }: AgentTurn, { prompt }: { prompt: string }): TurnWarning[] {
  return [
    ...(may === 'read' ? [onlyReads] : []),
    ...(may === 'run' ? [commandsAnywhere] : []),
    ...(searchesNames(prompt) ? [noNameSearch] : []),
  ];
}

const noNameSearch: TurnWarning = {
  about: 'no-name-search',
  message:
    'There is an @ in the prompt: the agent goes without its search for file names, or it would read what sounds alike.',
};

function prepare(request: CliRequest): Invocation {
  const { prompt, system, turn } = request;
  const { args, place, files, environment } = turn === undefined ? ownRun(request) : agentTurn(request, turn);
  return {
    args: ['--skip-trust', '--output-format', 'stream-json', ...args],
    environment: {
      GEMINI_CLI_NO_RELAUNCH: 'true',
      ...(system === undefined ? {} : { GEMINI_SYSTEM_MD: request.systemFile }),
      ...environment,
    },
    input: prompt,
    ...(system === undefined ? {} : { systemText: system }),
    ...(files === undefined ? {} : { files }),
    place,
  };
}

type Choices = Pick<Invocation, 'args' | 'place' | 'files' | 'environment'>;

function ownRun({ model }: CliRequest): Choices {
  return { args: model === undefined ? [] : ['--model', model], place: 'empty', environment: {} };
}

function agentTurn({ prompt, model, fileNamed }: CliRequest, { may, resume }: AgentTurn): Choices {
  const [trusted, policy] = [fileNamed('trusted-folders.json'), fileNamed('policy.toml')];
  const args = ['--approval-mode', modes[may]];
  if (model !== undefined) args.push('--model', model);
  if (searchesNames(prompt)) args.push('--policy', policy);
  if (resume !== undefined) args.push('--resume', resume);
  return {
    args,
    place: 'folder',
    // In a folder the user trusts, its hooks, servers and rules would be loaded.
    environment: { GEMINI_CLI_TRUSTED_FOLDERS_PATH: trusted },
    files: { [trusted]: '{}', ...(searchesNames(prompt) ? { [policy]: withoutSearch } : {}) },
  };
}
