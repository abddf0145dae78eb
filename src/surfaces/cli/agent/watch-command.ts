// galley watch -- claude …: any agent CLI behind a recording proxy on this machine. The terminal belongs to the CLI, so what was
// seen is said on stderr when it has ended; its exit code is ours.
import { spawn } from 'node:child_process';
import { closeSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { sessionHomes, shownPath } from '../../../agents/sessions/session-homes.js';
import { openPrivate, openRequestFile } from '../../../agents/watch/save-requests.js';
import { openWatchProxy } from '../../../agents/watch/watch-proxy.js';
import { createWatchRecord, type WatchReport } from '../../../agents/watch/watch-record.js';
import { programName, watchTarget } from '../../../agents/watch/watch-target.js';
import { GalleyError } from '../../../core/model/error.js';
import { loadCatalog } from '../../../models/catalog/catalog.js';
import type { AgentCliName } from '../../../models/cli/agent-cli.js';
import { agentClis, findAgentCli } from '../../../models/cli/find-agent-cli.js';
import { terminalWidth } from '../terminal/table.js';
import { say } from '../terminal/talk.js';
import { requestLine, watchPage } from './watch-page.js';

export interface WatchFlags {
  /** What stands behind `--`. */
  readonly paths?: readonly string[];
  readonly upstream?: string;
  readonly variable?: string;
  readonly live?: boolean;
  readonly report?: string;
  readonly save?: string;
  readonly withText?: boolean;
}

export async function watchCommand(flags: WatchFlags): Promise<void> {
  const { paths: command = [], upstream, variable, save, withText = false } = flags;
  const [typed] = command;
  if (typed === undefined) throw wrong('Name the program behind --: galley watch -- claude.', '--');
  if (withText && save === undefined) throw wrong('--with-text needs --save <file>.', '--with-text');
  const environment = process.env;
  const homes = sessionHomes(environment);
  const show = (path: string) => shownPath(path, { folder: process.cwd(), person: homes.person });
  const codexConfig = await readFile(join(homes.codex, 'config.toml'), 'utf8').catch(() => '');
  const target = watchTarget(command, { environment, codexConfig, upstream, variable });
  const program = typed in agentClis ? await findAgentCli(typed as AgentCliName) : typed;
  const catalog = await loadCatalog(environment);
  const report = flags.report === undefined ? undefined : openPrivate(flags.report, '--report');
  const file = save === undefined ? undefined : openRequestFile(save, { withText, show });
  const record = createWatchRecord({
    catalog,
    clock: Date.now,
    show,
    onRequest: (request) => {
      file?.add(request);
      if (flags.live) say(requestLine(request));
    },
  });
  const { listen } = record;
  const proxy = await openWatchProxy({ upstream: target.upstream, environment, listen });
  let seen: WatchReport;
  try {
    const { args, environment: env } = target.child(proxy.url);
    process.exitCode = await runChild(program, args, env);
  } finally {
    await proxy.close();
    seen = await record.finish();
    file?.close();
    if (report !== undefined) {
      writeSync(report, `${JSON.stringify(seen)}\n`);
      closeSync(report);
    }
  }
  say(watchPage(seen, { title: target.title, width: Math.min(terminalWidth(), widest) }));
}

/** Lines longer than that are harder to read. */
const widest = 80;

const passedSignals = ['SIGTERM', 'SIGHUP'] as const;

/** Ctrl-C reaches both; what to do about it is for the CLI to say. */
function runChild(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env });
    const pass = (signal: NodeJS.Signals) => void child.kill(signal);
    const stay = () => undefined;
    process.on('SIGINT', stay);
    for (const signal of passedSignals) process.on(signal, pass);
    const done = () => {
      process.off('SIGINT', stay);
      for (const signal of passedSignals) process.off(signal, pass);
    };
    child.once('error', () => {
      done();
      reject(
        new GalleyError('MODEL_UNAVAILABLE', `${programName(program)} could not be started.`, {
          details: { reason: 'not-started' },
        }),
      );
    });
    child.once('exit', (code, signal) => {
      done();
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

const wrong = (says: string, field: string) =>
  new GalleyError('INVALID_ARGUMENT', says, { details: { field } });
