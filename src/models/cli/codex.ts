// Codex. It takes the prompt literally, speaks in whole messages only, and never gives up waiting by itself. Its sandbox holds
// commands and patches alike.

import { rm } from 'node:fs/promises';
import type { Permission } from '../contract/agent-event.js';
import {
  type AgentCli,
  type AgentTurn,
  type CliRequest,
  type Invocation,
  type LeftBehind,
  onlyReads,
  type TurnWarning,
} from './agent-cli.js';
import { codexEvents } from './codex-events.js';
import { readRollout } from './codex-rollout.js';
import { codexSessionFile } from './session-files.js';

export const codex: AgentCli = {
  name: 'codex',
  title: 'Codex',
  install: 'npm install -g @openai/codex',
  login: 'run codex login, or set CODEX_API_KEY or the key of its configured provider to a valid one',
  oldest: '0.166.0',
  inputLimit: { unit: 'characters', n: 1_048_576 },
  // A message arrives when it is whole, so the first one takes as long as it is.
  firstByteMs: 300_000,
  variables: ['OPENAI_*', 'AZURE_OPENAI_*', 'CODEX_HOME', 'CODEX_API_KEY'],
  failureOfExit: (_, complaint) =>
    /no rollout found|thread\/resume failed/i.test(complaint) ? { reason: 'no-session' } : undefined,
  warnings,
  prepare,
  events: codexEvents,
  settle,
};

function warnings({ may }: AgentTurn): TurnWarning[] {
  return { read: [onlyReads], edit: [editRunsCommands], run: [commandsInSandbox] }[may];
}

const editRunsCommands: TurnWarning = {
  about: 'edit-runs-commands',
  message:
    'Codex cannot edit without running commands too: they run in its sandbox, write only in the folder, and reach no network.',
};

const commandsInSandbox: TurnWarning = {
  about: 'commands-in-sandbox',
  message:
    'Commands run in the sandbox of Codex: they write in the folder and in a temporary one of this run, and reach no network.',
};

const sandbox: Record<Permission, readonly string[]> = {
  read: ['--sandbox', 'read-only'],
  edit: [
    ...['--sandbox', 'workspace-write', '-c', 'sandbox_workspace_write.exclude_slash_tmp=true'],
    ...['-c', 'sandbox_workspace_write.exclude_tmpdir_env_var=true'],
  ],
  // Commands need a place for temporary files; that of this run is one nobody else uses.
  run: ['--sandbox', 'workspace-write', '-c', 'sandbox_workspace_write.exclude_slash_tmp=true'],
};

function prepare(request: CliRequest): Invocation {
  const { prompt, system, turn, model, systemFile } = request;
  const args = ['exec', '--json', '--skip-git-repo-check'];
  // Only the file of a thread says what was refused, so a turn of an agent has one.
  if (turn === undefined) args.push('--ephemeral');
  args.push('--disable', 'plugins', '--disable', 'apps', '-c', 'analytics.enabled=false');
  args.push(...(turn === undefined ? sandbox.read : confined(turn)));
  if (model !== undefined) args.push('--model', model);
  if (system !== undefined) args.push('-c', `model_instructions_file=${JSON.stringify(systemFile)}`);
  if (turn?.resume !== undefined) args.push('resume', turn.resume);
  args.push('-');
  return {
    args,
    environment: turn?.may === 'run' ? { TMPDIR: request.emptyFolder } : {},
    input: prompt,
    ...(system === undefined ? {} : { systemText: system }),
    place: turn === undefined ? 'empty' : 'folder',
  };
}

/** In a folder the user trusts, its servers would start outside the sandbox. Its own AGENTS.md is sent with the turn. */
function confined({ may, folder }: AgentTurn): string[] {
  const untrusted = `projects={${JSON.stringify(folder)}={trust_level="untrusted"}}`;
  return [...sandbox[may], '-c', untrusted, '-c', 'project_doc_max_bytes=0'];
}

async function settle(session: string, { environment, keepSession, naming, complaint }: LeftBehind) {
  const file = await codexSessionFile(session, environment);
  // Without the file only patches are known of, from what it complains of.
  if (file === undefined)
    return {
      events: /patch rejected/.test(complaint) ? [{ kind: 'refused', tool: 'apply_patch' } as const] : [],
    };
  const turn = await readRollout(file, naming);
  if (!keepSession) await rm(file, { force: true });
  return turn;
}
