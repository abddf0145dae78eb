// An agent CLI as a model: prepare, run, read, judge. An answer needs exit code 0, a good final event and words in it.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GalleyError } from '../../core/model/error.js';
import { makeTempFolder, removeTempFolder } from '../../temp/temp-folder.js';
import { parseEvent } from '../answer/json-fields.js';
import type { Model, ModelAnswer, RunOptions } from '../contract/model.js';
import { checkRequest } from '../contract/placement.js';
import type { AgentCli } from './agent-cli.js';
import { childEnvironment } from './child-environment.js';
import { cancelledRun, endedBadly, failedFor, notStarted, stoppedBy } from './cli-failure.js';
import { cliVersion, isOlder } from './find-agent-cli.js';
import { type LineNews, type ProcessOptions, runProcess } from './run-process.js';

export interface CliModelOptions {
  /** The executable, as `findAgentCli` gives it. */
  readonly command: string;
  /** Where the agent works, unless its prompt would be changed by what stands there. */
  readonly folder: string;
  /** On by default: system text in place of the CLI's own, by file, and no tools where they can be switched off. */
  readonly native?: boolean;
  readonly model?: string;
  readonly environment?: NodeJS.ProcessEnv;
  readonly graceMs?: number;
}

const maxAnswer = 10 * 1024 * 1024;
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
      return withScratch(async (scratch) => {
        const environment = childEnvironment(cli.variables, options.environment ?? process.env);
        const { native = true, model } = options;
        const { prompt, system } = request;
        const { systemFile } = scratch;
        const invocation = cli.prepare({
          prompt,
          system: system || undefined,
          native,
          model,
          environment,
          systemFile,
        });
        checkInput(cli, invocation.input);
        if (invocation.systemText !== undefined) await scratch.writeSystem(invocation.systemText);
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
          run,
        );
      });
    },
  };
  return self;
}

async function runInvocation(
  cli: AgentCli,
  order: Omit<ProcessOptions, 'onLine'>,
  { signal, onText }: RunOptions,
): Promise<ModelAnswer> {
  const reader = cli.events();
  let heard = false;
  let length = 0;
  const onLine = (line: string): LineNews => {
    const event = parseEvent(line);
    if (event === undefined) return 'nothing';
    heard = true;
    const { begun, text } = reader.read(event);
    if (text !== undefined) {
      length += text.length;
      if (length > maxAnswer) return 'too-large';
      onText?.(text);
    }
    return begun ? 'begun' : 'nothing';
  };
  const end = await runProcess({ ...order, onLine });
  if (end.kind === 'not-started') throw notStarted(cli, end.cause);
  if (end.stopped !== undefined) throw stoppedBy(cli, end.stopped, { signal, end });
  const outcome = reader.outcome();
  if (outcome.kind === 'failed') throw failedFor(cli, outcome, end);
  const bad = endedBadly(cli, end, outcome);
  if (bad !== undefined) throw heard ? bad : ((await tooOld(cli, order)) ?? bad);
  if (outcome.kind !== 'answered' || outcome.text.length > maxAnswer)
    throw stoppedBy(cli, 'too-large', { signal, end });
  const { kind: _, ...answer } = outcome;
  return answer;
}

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
  writeSystem(text: string): Promise<void>;
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
      writeSystem: (text) => writeFile(systemFile, text, { mode: 0o600 }),
    });
  } finally {
    await removeTempFolder(folder).catch(() => undefined);
  }
}
