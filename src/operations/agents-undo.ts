// What agents did to the folder, turn by turn, and taking it back. What keeps the states is loaded when it is asked to.
import * as z from 'zod';
import type { UndoneTurn } from '../agents/undo/undo-turn.js';
import { defineOperation } from './operation.js';
import { answer, inferred, timestamp } from './published-schema.js';
import { nameField } from './request-fields.js';

const turnName = z.string().describe('the turn, as agents:turns names it');
const paths = z.array(z.string()).describe('below the folder');

export const agentsTurns = defineOperation({
  id: 'agents:turns',
  summary: 'Lists the latest turns in which an agent could change files of this folder, oldest first.',
  input: z.strictObject({}),
  example: {},
  output: inferred(
    z.strictObject({
      turns: z
        .array(
          z.strictObject({
            turn: turnName,
            at: timestamp,
            by: z.string().describe('which agent; undo when a turn was taken back'),
            ended: z.boolean().describe('false for a turn that was cut off; only allSince undoes it'),
            undone: z.boolean(),
          }),
        )
        .describe('oldest first'),
    }),
  ),
  grant: 'run',
  errors: ['GIT_FAILED'],
  run: async (_, { folder }) => {
    const [{ openKeptFolder }, { loggedTurns }] = await Promise.all([
      import('../agents/undo/kept-folder.js'),
      import('../agents/undo/turn-log.js'),
    ]);
    const turns = await loggedTurns((await openKeptFolder(folder)).home);
    return {
      turns: turns.map(({ id, at, by, after, undone }) => ({
        ...{ turn: id, at, by, ended: after !== undefined, undone },
      })),
    };
  },
});

export const agentsUndo = defineOperation({
  id: 'agents:undo',
  summary:
    'Takes back what an agent did to the folder in one turn; files that somebody changed since stay as they are.',
  input: z.strictObject({
    turn: nameField.optional().describe('the newest that is not undone, when left out'),
    allSince: z
      .boolean()
      .default(false)
      .describe('also takes back what others did since; the only way for a turn that was cut off'),
    dryRun: z.boolean().default(false).describe('only says what would be done'),
  }),
  example: { dryRun: true },
  output: answer<UndoneTurn>()(
    z.strictObject({
      turn: turnName,
      at: timestamp,
      by: z.string().describe('which agent worked in it'),
      restored: paths,
      removed: paths,
      left: z
        .array(
          z.strictObject({
            path: z.string(),
            why: z
              .enum(['changed-since', 'not-the-agents'])
              .describe(
                'somebody changed it after the turn, or it is not of the agent, which names its files',
              ),
          }),
        )
        .describe('files that were not touched'),
      headMoved: z.boolean().describe('the turn made commits or changed branches, which stays'),
      unstaged: z
        .array(z.string())
        .describe('entries of git’s index that are as they were before, below the top of the repository'),
      indexChanged: z.boolean().describe('the turn changed git’s index, and some of that stays'),
      othersToo: z
        .boolean()
        .describe(
          'the agent does not name its files: what others changed during the turn is taken back with it',
        ),
      undo: z.string().optional().describe('to take this undo back by'),
    }),
  ),
  grant: 'run',
  errors: ['GIT_FAILED', 'NOT_FOUND', 'CHANGED_MEANWHILE'],
  run: async (request, { folder, now }) => {
    const { undoTurn } = await import('../agents/undo/undo-turn.js');
    return undoTurn({ ...request, folder, now });
  },
});
