// Where the CLIs keep their sessions on this machine.
import { homedir } from 'node:os';
import { join, relative, sep } from 'node:path';
import type { AgentCliName } from '../../models/cli/agent-cli.js';

export interface SessionHomes extends Readonly<Record<AgentCliName, string>> {
  /** The home of the person. */
  readonly person: string;
}

export function sessionHomes(environment: NodeJS.ProcessEnv, person = homedir()): SessionHomes {
  return {
    person,
    claude: environment.CLAUDE_CONFIG_DIR || join(person, '.claude'),
    codex: environment.CODEX_HOME || join(person, '.codex'),
    gemini: join(environment.GEMINI_CLI_HOME || person, '.gemini'),
  };
}

/** A path as it may be shown: inside the folder, inside the home, or by its last name alone. */
export function shownPath(path: string, { folder, person }: { folder: string; person: string }): string {
  if (!path.startsWith(sep)) return path.startsWith('..') ? `…/${lastName(path)}` : path;
  const inFolder = relative(folder, path);
  if (inFolder === '') return '.';
  if (!inFolder.startsWith('..')) return inFolder;
  const inHome = relative(person, path);
  return inHome.startsWith('..') ? `…/${lastName(path)}` : `~/${inHome}`;
}

const lastName = (path: string) => path.split(/[\\/]/).at(-1) ?? '';
