// An agent CLI as a model: prepare, run, read, judge. An answer needs exit code 0, a good final event and words in it.

import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GalleyError } from '../../core/model/error.js';
import { makeTempFolder, removeTempFolder } from '../../temp/temp-folder.js';
import { parseEvent } from '../answer/json-fields.js';
import type { AgentEvent, Permission } from '../contract/agent-event.js';
import { type Model, type ModelAnswer, maxAnswer, type RunOptions } from '../contract/model.js';
import { checkRequest } from '../contract/placement.js';
import type { AgentCli, AgentTurn, LeftBehind } from './agent-cli.js';
import { childEnvironment } from './child-environment.js';
import { cancelledRun, endedBadly, failedFor, notStarted, stoppedBy } from './cli-failure.js';
import { cliVersion, isOlder } from './find-agent-cli.js';
import { refuseMentions } from './mentions.js';
import { type LineNews, type ProcessOptions, runProcess } from './run-process.js';
import { namingIn } from './tool-target.js';

export interface CliModelOptions {
  /** The executable, as `findAgentCli` gives it. */
  readonly command: string;
  /** Where the agent works; Galley's own runs stand where there is nothing to find. */
  readonly folder: string;
  /** On by default: system text in place of the CLI's own, by file, and no tools where they can be switched off. */
  readonly native?: boolean;
  /** What the agent may do in its folder, where the run is not native; only read unless told. */
  readonly may?: Permission;
  /** Goes on with this session, which is then kept. */
  readonly resume?: string;
  /** Whether its session is kept for later turns. */
  readonly keepSession?: boolean;
  readonly model?: string;
  readonly environment?: NodeJS.ProcessEnv;
  readonly graceMs?: number;
}

const maxLine = 2 * maxAnswer;

export function cliModel(cli: AgentCli, options: CliModelOptions): Model {
  const self: Model = {
    id: options.model === undefined ? `cli/${cli.name}` : `cli/${cli.name}:${options.model}`,
    family: 'cli',
    systemInPrompt: (system) => cli.rewritesSystem?.(system) ?? false,
    readsAsCommand: (prompt) => cli.commandMark !== undefined && prompt.startsWith(cli.commandMark),
    run: async (request, run) => {
      checkRequest(self, request);
      if (run.signal.aborted) throw cancelledRun(cli, run.signal);
      const turn = await turnOf(options);
      const environment = childEnvironment(cli.variables, options.environment ?? process.env);
      const { prompt, system } = request;
      if (turn !== undefined) await beforeTurn(cli, turn, { prompt, model: options.model, environment, run });
      return withScratch(async (scratch) => {
        const { model } = options;
        const invocation = cli.prepare({
          prompt,
          system: system || undefined,
          turn,
          model,
          environment,
          ...scratch,
        });
        checkInput(cli, invocation.input);
        if (invocation.systemText !== undefined)
          await scratch.write(scratch.systemFile, invocation.systemText);
        for (const [path, text] of Object.entries(invocation.files ?? {})) await scratch.write(path, text);
        return runInvocation(
          cli,
          {
            command: options.command,
            args: invocation.args,
            environment: { ...environment, ...invocation.environment },
            folder: invocation.place === 'empty' ? scratch.emptyFolder : options.folder,
            input: invocation.input,
            timeouts: request.timeouts,
            signal: run.signal,
            maxLine,
            outputFile: cli.hasty ? scratch.outputFile : undefined,
            graceMs: options.graceMs ?? 2000,
          },
          { ...run, turn },
        );
      });
    },
  };
  return self;
}

/** Galley's own runs are nobody's turn. */
async function turnOf(options: CliModelOptions): Promise<AgentTurn | undefined> {
  const { native = true, may = 'read', resume, keepSession = false } = options;
  if (native) return undefined;
  const folder = await realpath(options.folder).catch(() => options.folder);
  return { may, folder, resume, keepSession: keepSession || resume !== undefined };
}

interface Beginning {
  readonly prompt: string;
  readonly model: string | undefined;
  readonly environment: LeftBehind['environment'];
  readonly run: RunOptions;
}

/** What must be known before a turn begins, and what keeps it from beginning. */
async function beforeTurn(
  cli: AgentCli,
  turn: AgentTurn,
  { environment, run, ...said }: Beginning,
): Promise<void> {
  await refuseMentions(cli, said.prompt, { folder: turn.folder, environment });
  for (const warning of cli.warnings(turn, said)) run.onEvent?.({ kind: 'warning', ...warning });
}

async function runInvocation(
  cli: AgentCli,
  order: Omit<ProcessOptions, 'onLine'>,
  { signal, onText, onEvent, turn }: RunOptions & { readonly turn: AgentTurn | undefined },
): Promise<ModelAnswer> {
  const naming = namingIn(order.folder);
  const reader = cli.events(naming);
  let heard = false;
  let length = 0;
  let session: string | undefined;
  const tell = (event: AgentEvent) => {
    if (event.kind !== 'session') return onEvent?.(event);
    session = event.id ?? session;
    const { id: _, ...rest } = event;
    // An id that nothing can be done with is none.
    onEvent?.(turn?.keepSession ? event : rest);
  };
  const onLine = (line: string): LineNews => {
    const event = parseEvent(line);
    if (event === undefined) return 'nothing';
    heard = true;
    const { begun, text, events = [] } = reader.read(event);
    for (const each of events) tell(each);
    if (text !== undefined) {
      length += text.length;
      if (length > maxAnswer) return 'too-large';
      onText?.(text);
      onEvent?.({ kind: 'text', text });
    }
    return begun ? 'begun' : 'nothing';
  };
  const end = await runProcess({ ...order, onLine });
  if (end.kind === 'not-started') throw notStarted(cli, end.cause);
  const { complaint } = end;
  const left = { environment: order.environment, keepSession: turn?.keepSession ?? false, naming, complaint };
  const settled = turn === undefined ? undefined : await settle(cli, session, left);
  for (const event of settled?.events ?? []) onEvent?.(event);
  if (end.stopped !== undefined) throw stoppedBy(cli, end.stopped, { signal, end });
  const outcome = reader.outcome();
  if (outcome.kind === 'failed') throw failedFor(cli, outcome, end);
  const bad = endedBadly(cli, end, outcome);
  if (bad !== undefined) throw heard ? bad : ((await tooOld(cli, order)) ?? bad);
  if (turn?.resume !== undefined && session !== undefined && session !== turn.resume)
    throw failedFor(cli, { reason: 'no-session' }, end);
  if (outcome.kind !== 'answered' || outcome.text.length > maxAnswer)
    throw stoppedBy(cli, 'too-large', { signal, end });
  const { kind: _, ...said } = outcome;
  const named = said.model ?? settled?.model;
  const answer = {
    ...said,
    ...(settled?.usage === undefined ? {} : { usage: settled.usage }),
    ...(named === undefined ? {} : { model: named }),
  };
  if (answer.usage !== undefined) onEvent?.({ kind: 'usage', ...answer.usage });
  onEvent?.({ kind: 'end', finish: answer.finish });
  return answer;
}

async function settle(cli: AgentCli, session: string | undefined, left: LeftBehind) {
  if (session === undefined) return undefined;
  return cli.settle?.(session, left).catch(() => ({
    events: [{ kind: 'warning', ...refusalsUnknown } as const],
    ...{ usage: undefined, model: undefined },
  }));
}

const refusalsUnknown = {
  about: 'refusals-unknown',
  message: 'What the CLI keeps of this turn could not be read; it may have been refused something.',
};

async function tooOld(
  cli: AgentCli,
  order: Omit<ProcessOptions, 'onLine'>,
): Promise<GalleyError | undefined> {
  const version = await cliVersion(order.command, order);
  if (version === undefined || !isOlder(version, cli.oldest)) return undefined;
  return new GalleyError(
    'MODEL_NOT_CONFIGURED',
    `${cli.title} ${version} is too old; ${cli.oldest} is known to work. Update it with: ${cli.install}`,
    { details: { cli: cli.name, reason: 'too-old', version, oldest: cli.oldest } },
  );
}

function checkInput(cli: AgentCli, input: string): void {
  const { unit, n: limit } = cli.inputLimit;
  const size = unit === 'bytes' ? Buffer.byteLength(input) : [...input].length;
  if (size <= limit) return;
  throw new GalleyError(
    'PAYLOAD_TOO_LARGE',
    `The prompt has ${size} ${unit}; ${cli.title} takes at most ${limit}. Give it a smaller budget.`,
    { details: { cli: cli.name, phase: 'input', unit, size, limit } },
  );
}

interface Scratch {
  readonly systemFile: string;
  readonly outputFile: string;
  readonly emptyFolder: string;
  fileNamed(name: string): string;
  write(path: string, text: string): Promise<void>;
}

/**
 * A private folder for one run: places for the system text and the output, and an empty folder to stand in. It is gone afterwards.
 */
async function withScratch<T>(work: (scratch: Scratch) => Promise<T>): Promise<T> {
  const folder = makeTempFolder('agent');
  try {
    const systemFile = join(folder, 'system.md');
    const emptyFolder = join(folder, 'empty');
    await mkdir(emptyFolder, { mode: 0o700 });
    return await work({
      systemFile,
      outputFile: join(folder, 'output'),
      emptyFolder,
      fileNamed: (name) => join(folder, name),
      write: (path, text) => writeFile(path, text, { mode: 0o600 }),
    });
  } finally {
    await removeTempFolder(folder).catch(() => undefined);
  }
}
