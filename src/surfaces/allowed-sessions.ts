// Sessions of agent CLIs hold all that was said in them. Doors through which others may come read them only where the owner of the
// machine says so.
import { type SessionHomes, sessionHomes } from '../agents/sessions/session-homes.js';

export function allowedSessions(environment: NodeJS.ProcessEnv = process.env): SessionHomes | undefined {
  return environment.GALLEY_SESSIONS === 'allow' ? sessionHomes(environment) : undefined;
}

const ofSessions: ReadonlySet<string> = new Set(['agents:sessions:list', 'agents:inspect', 'agents:handoff']);

/** A list of tools should not name what would be refused. */
export function isAllowed(operation: string): boolean {
  return !ofSessions.has(operation) || allowedSessions() !== undefined;
}
