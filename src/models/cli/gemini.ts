// Gemini CLI. Any @ that names something in its folder rewrites the prompt, so it always stands in an empty one.

import { type JsonObject, pickText } from '../answer/json-fields.js';
import {
  type AgentCli,
  type CliRequest,
  type EventReader,
  type Invocation,
  type Outcome,
  readUsage,
  reasonOfStatus,
} from './agent-cli.js';

const noLogin = 41;
/** Its exit code is the provider's status modulo 256. */
const statuses = [400, 401, 403, 404, 408, 413, 429, 500, 502, 503, 504];

export const gemini: AgentCli = {
  name: 'gemini',
  title: 'Gemini CLI',
  install: 'npm install -g @google/gemini-cli',
  login: 'set GEMINI_API_KEY and choose an auth method in its settings',
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
  failureOfExit(exit) {
    if (exit === noLogin) return { reason: 'authentication' };
    const status = statuses.find((known) => known % 256 === exit);
    return status === undefined ? undefined : { reason: reasonOfStatus(status), status };
  },
  // Names like ${AvailableTools} are replaced in a system file.
  rewritesSystem: (system) => /\$\{\w+\}/.test(system),
  commandMark: '/',
  prepare,
  events,
};

function prepare({ prompt, system, model, systemFile }: CliRequest): Invocation {
  const args = ['--skip-trust', '--output-format', 'stream-json'];
  if (model !== undefined) args.push('--model', model);
  return {
    args,
    environment: {
      GEMINI_CLI_NO_RELAUNCH: 'true',
      ...(system === undefined ? {} : { GEMINI_SYSTEM_MD: systemFile }),
    },
    input: prompt,
    ...(system === undefined ? {} : { systemText: system }),
    place: 'empty',
  };
}

function events(): EventReader {
  let outcome: Outcome = { kind: 'none' };
  let model: string | undefined;
  let answer = '';
  let isNext = false;

  const readMessage = (event: JsonObject) => {
    const text = pickText(event, 'content');
    // The prompt comes back as a message of the user.
    if (event.role !== 'assistant' || !text) return {};
    const apart = isNext ? '\n\n' : '';
    answer = isNext ? text : answer + text;
    isNext = false;
    return { begun: true, text: apart + text };
  };
  return {
    read(event) {
      switch (event.type) {
        case 'init':
          model = pickText(event, 'model');
          return {};
        case 'message':
          return readMessage(event);
        case 'tool_use':
        case 'tool_result':
          isNext = answer !== '';
          return { begun: true };
        case 'result':
          outcome =
            event.status === 'success'
              ? answered(event, answer, model)
              : { kind: 'failed', reason: 'unavailable' };
          return {};
        default:
          return {};
      }
    },
    outcome: () => outcome,
  };
}

/** It reports success for an answer cut at the output limit as well, so how it finished stays unknown. */
function answered(event: JsonObject, text: string, model: string | undefined): Outcome {
  return {
    kind: 'answered',
    text,
    finish: 'unknown',
    ...readUsage(event, { under: 'stats', cached: 'cached' }),
    ...(model === undefined ? {} : { model }),
  };
}
