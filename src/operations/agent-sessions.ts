// Sessions of the agent CLIs on this machine: which there are, and what is in the head of one. Nothing of them is written, and
// none of their text is told.
import { resolve } from 'node:path';
import * as z from 'zod';
import { type AgentType, agentTypeOf } from '../agents/assembler-input.js';
import { type FoundSession, findSession, listSessions, sessionAt } from '../agents/sessions/find-sessions.js';
import { inspectSession, type SessionInspection } from '../agents/sessions/inspect-session.js';
import { breakCauses } from '../agents/sessions/request-record.js';
import { type SessionHomes, shownPath } from '../agents/sessions/session-homes.js';
import { sessionParts } from '../agents/sessions/session-log.js';
import { windowKinds } from '../agents/sessions/window-shares.js';
import { GalleyError } from '../core/model/error.js';
import { textField } from '../core/model/input.js';
import { builtInCatalog } from '../models/catalog/catalog.js';
import type { AgentCliName } from '../models/cli/agent-cli.js';
import { defineOperation, type OperationContext } from './operation.js';
import { answer, count, inferred, named, timestamp } from './published-schema.js';

export function homesOf({ sessions }: Pick<OperationContext, 'sessions'>): SessionHomes {
  if (sessions !== undefined) return sessions;
  throw new GalleyError(
    'FORBIDDEN',
    'Sessions of agents are read from the shell of the one they belong to; a server reads them when it is started with GALLEY_SESSIONS=allow.',
  );
}

export const cliName = z.enum(['claude', 'codex', 'gemini']).describe('whose session it is');
const model = z.string().describe('name of the model');

export const sessionReference = textField(200)
  .regex(/^[\w:.-]*$/)
  .describe(
    'claude:<beginning of an id>, the name of a CLI, or the beginning of an id; the newest of the folder when left out',
  );

const listedSession = z.strictObject({
  cli: cliName,
  id: z.string(),
  changedAt: timestamp.describe('when it was last written to; milliseconds since 1970'),
  bytes: count,
});

export const agentsSessionsList = defineOperation({
  id: 'agents:sessions:list',
  summary: 'Lists the sessions of agent CLIs that took place in this folder, newest first.',
  input: z.strictObject({
    everywhere: z.boolean().default(false).describe('of all folders'),
    cli: cliName.optional(),
    limit: z.int().min(1).max(1000).default(20),
  }),
  example: {},
  output: inferred(
    z.strictObject({
      sessions: z.array(listedSession).describe('newest first'),
      total: count.describe('how many there are, listed or not'),
    }),
  ),
  grant: 'inspect',
  errors: ['FORBIDDEN'],
  run: async ({ everywhere, cli, limit }, context) => {
    const folder = everywhere ? undefined : context.folder;
    const found = await listSessions(homesOf(context), { folder, cli });
    const listed = ({ cli: name, id, changedAt, bytes }: FoundSession) => ({
      cli: name,
      id,
      changedAt,
      bytes,
    });
    return { sessions: found.slice(0, limit).map(listed), total: found.length };
  },
});

const part = z
  .enum(sessionParts)
  .describe('whose words they are: added by the CLI, a summary in place of what was compacted');
const usage = {
  inputTokens: count.describe('everything that was read, cached or not'),
  outputTokens: count,
};
const item = {
  tool: z.string().optional().describe('name of the tool'),
  target: z.string().optional().describe('the file it was used on'),
};
const at = timestamp.optional().describe('when; milliseconds since 1970');

export const agentsInspect = defineOperation({
  id: 'agents:inspect',
  summary:
    'Reads a session of an agent CLI: what fills its window, what was compacted, what the cache did, what it cost.',
  input: z.strictObject({
    agentType: textField(100)
      .min(1)
      .optional()
      .describe('whose session it is: claude-code, codex or gemini; needed with `path`'),
    session: sessionReference.optional(),
    path: textField(4096)
      .min(1)
      .optional()
      .describe('a session file, wherever it lies, in place of `session`'),
    exact: z
      .boolean()
      .default(false)
      .describe(
        'has Claude Code count its session, which asks its provider and so sends it there; other CLIs have no counts of their own; needs the grant "run" too',
      ),
  }),
  example: {},
  output: answer<SessionInspection>()(
    named(
      'SessionInspection',
      z.strictObject({
        cli: cliName,
        id: z.string(),
        folder: z.string().optional().describe('where it took place, seen from here'),
        version: z.string().optional().describe('of the CLI'),
        model: model.optional(),
        startedAt: at,
        changedAt: timestamp,
        tokens: count.optional().describe('in its head now'),
        windowTokens: count.optional().describe('that it can hold'),
        longWindowTokens: count
          .optional()
          .describe('that it can hold where its long window is on, which the file does not say'),
        parts: z
          .array(
            z.strictObject({
              kind: z.enum(windowKinds).describe('not-in-file: what was sent beside what the file holds'),
              tokens: count,
              items: count,
              of: z.partialRecord(z.enum(sessionParts), count).optional().describe('of messages: by whom'),
            }),
          )
          .describe('what fills the window'),
        heaviest: z
          .array(
            z.strictObject({
              part,
              ...item,
              times: count.describe('the same tool on the same file'),
              tokens: count,
            }),
          )
          .describe('the ten heaviest items'),
        compactions: z
          .array(
            z.strictObject({
              at,
              by: z.enum(['itself', 'request', 'unknown']).describe('who wanted it'),
              tokensBefore: count.optional().describe('in its head until then'),
              tokensAfter: count.optional().describe('in its head from then on'),
            }),
          )
          .describe('when the conversation was replaced by something shorter'),
        requests: z
          .strictObject({
            count: count.describe('how many there were'),
            ...usage,
            cachedInputTokens: count,
            newest: z
              .array(
                z.strictObject({
                  number: count,
                  at,
                  model,
                  ...usage,
                  cachedInputTokens: count.optional(),
                  cacheWriteTokens: count.optional(),
                }),
              )
              .describe('the last five hundred, oldest first'),
          })
          .describe('calls of the model'),
        cacheBreaks: z
          .array(
            z.strictObject({
              request: count.describe('its number'),
              at,
              cause: z
                .enum(breakCauses)
                .describe('the first thing the file shows to have changed; not-in-file: it shows nothing'),
              cachedTokens: count.describe('read from the cache'),
              keptTokens: count.describe('that the provider had kept'),
              block: z
                .strictObject({
                  part: z.enum([...sessionParts, 'before-messages']).describe('whose words they are'),
                  ...item,
                })
                .optional()
                .describe('the first thing that had to be read again, as far as the file tells'),
            }),
          )
          .describe('requests that could not go on from the cached prefix'),
        cacheBreakCount: count.describe('how many of them there were, listed or not'),
        costs: z
          .array(
            z.strictObject({
              model,
              requests: count.describe('how many'),
              ...usage,
              cachedInputTokens: count,
              dollars: z.number().optional().describe('absent where the price is not known'),
            }),
          )
          .describe('by model'),
        dollars: z.number().optional().describe('of all models whose price is known'),
        meter: z.string().describe('what weighed'),
        exact: z.boolean().describe('weighed by the vocabulary of the model; an estimate otherwise'),
        scaled: z
          .number()
          .optional()
          .describe('what the estimate was multiplied by, since the session shows how its requests grew'),
        memoryOnDisk: z
          .boolean()
          .optional()
          .describe('memory files are counted as they are on disk now; the session does not hold them'),
        unsentTokens: count
          .optional()
          .describe('that the file holds and the last request did not send, so that the parts are too large'),
        lines: z
          .strictObject({
            lines: count.describe('all of them'),
            unknown: count.describe('of kinds that only another version of the CLI knows'),
            unreadable: count.describe('cut off, too long, or no JSON'),
          })
          .describe('of the session file'),
      }),
    ),
  ),
  grant: 'inspect',
  errors: [
    'FORBIDDEN',
    'NOT_FOUND',
    'FILE_UNREADABLE',
    'CONFIG_INVALID',
    'MODEL_NOT_CONFIGURED',
    'MODEL_UNAVAILABLE',
    'MODEL_ANSWER_INVALID',
    'TIMEOUT',
  ],
  run: async ({ agentType, session, path, exact }, context) => {
    const { folder, signal } = context;
    const homes = homesOf(context);
    const cli = agentType === undefined ? undefined : sessionCli(agentType);
    const found =
      path === undefined
        ? await findSession(homes, namedSession(cli, session), folder)
        : await sessionAt(resolve(folder, path), cli);
    const catalog = (await context.prices?.()) ?? builtInCatalog;
    if (exact) refuseExact(found, context);
    const inspection = await inspectSession(found, { folder, homes, catalog, signal });
    return exact ? countedByItself(inspection, found, context) : inspection;
  },
});

const sessionClis: Partial<Record<AgentType, AgentCliName>> = {
  'claude-code': 'claude',
  'openai-codex': 'codex',
  'google-gemini': 'gemini',
};

function sessionCli(agentType: string): AgentCliName {
  const cli = sessionClis[agentTypeOf(agentType)];
  if (cli !== undefined) return cli;
  throw new GalleyError(
    'INVALID_ARGUMENT',
    'agentType: sessions are read of claude-code, codex and gemini.',
    { details: { field: 'agentType' } },
  );
}

function namedSession(cli: AgentCliName | undefined, session: string | undefined): string | undefined {
  if (cli === undefined || session?.startsWith(`${cli}:`)) return session;
  return session === undefined ? cli : `${cli}:${session}`;
}

function refuseExact({ cli }: FoundSession, { grants }: OperationContext): void {
  if (!grants.has('run'))
    throw new GalleyError('FORBIDDEN', 'exact: a CLI is run for it, which needs the grant "run" too.', {
      details: { field: 'exact' },
    });
  if (cli !== 'claude')
    throw new GalleyError(
      'INVALID_ARGUMENT',
      'exact: only Claude Code has its sessions counted; without exact, what the file holds is counted here.',
      { details: { field: 'exact' } },
    );
}

async function countedByItself(
  inspection: SessionInspection,
  { id: session }: FoundSession,
  context: OperationContext,
): Promise<SessionInspection> {
  if (inspection.folder !== '.')
    throw new GalleyError(
      'INVALID_ARGUMENT',
      'exact: the session took place in another folder; ask from there, since Claude Code finds it nowhere else.',
      { details: { field: 'exact' } },
    );
  const [{ claudeContext }, { findAgentCli }, { withExactCounts }] = await Promise.all([
    import('../models/cli/claude-context.js'),
    import('../models/cli/find-agent-cli.js'),
    import('../agents/sessions/exact-inspection.js'),
  ]);
  const { folder, signal } = context;
  const { model } = inspection;
  const told = await claudeContext({ command: await findAgentCli('claude'), folder, session, model, signal });
  const { person } = homesOf(context);
  return withExactCounts(inspection, told, { show: (path) => shownPath(path, { folder, person }) });
}
