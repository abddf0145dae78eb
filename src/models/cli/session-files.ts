// Where the CLIs keep what was said in a session, and how a session that nobody asked to keep goes again.
import { readdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ChildEnvironment } from './child-environment.js';

const homeOf = ({ HOME, USERPROFILE }: ChildEnvironment) => HOME ?? USERPROFILE ?? homedir();

/** The file of a Codex thread; it stands under the day on which the thread began. */
export async function codexSessionFile(
  session: string,
  environment: ChildEnvironment,
): Promise<string | undefined> {
  const sessions = join(environment.CODEX_HOME ?? join(homeOf(environment), '.codex'), 'sessions');
  const names = await readdir(sessions, { recursive: true }).catch(() => []);
  const found = names.find((name) => name.endsWith(`-${session}.jsonl`));
  return found === undefined ? undefined : join(sessions, found);
}

/** Gemini keeps every session, under the project and the first digits of its id. */
export async function removeGeminiSession(session: string, environment: ChildEnvironment): Promise<void> {
  const projects = join(environment.GEMINI_CLI_HOME ?? homeOf(environment), '.gemini', 'tmp');
  const ending = `-${session.slice(0, 8)}.jsonl`;
  for (const project of await readdir(projects).catch(() => [])) {
    const chats = join(projects, project, 'chats');
    const names = await readdir(chats).catch(() => []);
    for (const name of names.filter((each) => each.startsWith('session-') && each.endsWith(ending)))
      await rm(join(chats, name), { force: true }).catch(() => undefined);
  }
}
