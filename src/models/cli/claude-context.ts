// What Claude Code itself says is in the head of a session. It resumes it without a turn and lets its provider count; no model answers,
// and nothing is written to the session. Hooks do not run and servers are not started for it.
import { GalleyError } from '../../core/model/error.js';
import { type JsonObject, parseEvent, pick, pickText } from '../answer/json-fields.js';
import { childEnvironment } from './child-environment.js';
import { claude, quiet } from './claude.js';
import { notStarted, stoppedBy } from './cli-failure.js';
import { runProcess } from './run-process.js';

interface ContextOptions {
  readonly command: string;
  /** Where the session took place; it is found nowhere else. */
  readonly folder: string;
  readonly session: string;
  /** Of the session: another one has other windows and counts. */
  readonly model?: string | undefined;
  readonly signal: AbortSignal;
  readonly environment?: NodeJS.ProcessEnv;
}

const patienceMs = 120_000;
const maxLine = 16 * 1024 * 1024;

export function contextArguments({ session, model }: Pick<ContextOptions, 'session' | 'model'>): string[] {
  return [
    ...['--print', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
    ...['--resume', session, '--no-session-persistence'],
    ...['--strict-mcp-config', '--settings', '{"disableAllHooks":true}'],
    ...(model === undefined ? [] : ['--model', model]),
  ];
}

export async function claudeContext(options: ContextOptions): Promise<JsonObject> {
  let told: JsonObject | undefined;
  let close = () => {};
  const end = await runProcess({
    command: options.command,
    args: contextArguments(options),
    environment: {
      ...quiet,
      ...childEnvironment(claude.variables, options.environment ?? process.env),
    },
    folder: options.folder,
    input: '',
    timeouts: { firstByteMs: patienceMs, totalMs: patienceMs },
    signal: options.signal,
    maxLine,
    graceMs: 2000,
    onOpen(channel) {
      close = channel.end;
      channel.write(
        JSON.stringify({
          type: 'control_request',
          request_id: 'context',
          request: { subtype: 'get_context_usage' },
        }),
      );
    },
    onLine(line) {
      const event = parseEvent(line);
      if (pickText(event, 'type') !== 'control_response') return 'nothing';
      told = pick(event, 'response', 'response') as JsonObject | undefined;
      close();
      return 'begun';
    },
  });
  if (end.kind === 'not-started') throw notStarted(claude, end.cause);
  if (end.stopped !== undefined) throw stoppedBy(claude, end.stopped, { signal: options.signal, end });
  if (told !== undefined && isCounted(told)) return told;
  throw new GalleyError(
    'MODEL_UNAVAILABLE',
    told === undefined
      ? 'Claude Code did not say what is in the session; it may be too old, or have no such session here.'
      : 'Claude Code could not have the session counted by its provider.',
    { details: { cli: 'claude', phase: told === undefined ? 'exit' : 'answer' } },
  );
}

/** Without its provider it gives all tokens to the messages, and none to its own text. */
function isCounted(told: JsonObject): boolean {
  const categories = pick(told, 'categories');
  return Array.isArray(categories) && categories.some((one) => pickText(one, 'name') === 'System prompt');
}
