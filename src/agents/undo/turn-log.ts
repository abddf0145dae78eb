// Which turns changed a folder, oldest first: the state before and after each, one line a step, so that a run that was killed has
// left its beginning behind.
import { randomBytes } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

const step = z.discriminatedUnion('step', [
  z.object({
    step: z.literal('begun'),
    id: z.string(),
    at: z.number(),
    /** Who worked; `undo` when something was undone. */
    by: z.string(),
    before: z.string(),
    head: z.string().optional(),
    /** What stands in git's index: a text that is kept, or in older logs its digest. */
    staged: z.string().optional(),
    /** The turn that an undo takes back. */
    of: z.string().optional(),
  }),
  z.object({
    step: z.literal('ended'),
    id: z.string(),
    after: z.string(),
    head: z.string().optional(),
    staged: z.string().optional(),
    /** The only paths that are the agent's own, where it named each file it changed. */
    named: z.array(z.string()).optional(),
  }),
  z.object({ step: z.literal('undone'), id: z.string() }),
]);

type Step = z.output<typeof step>;

export interface LoggedTurn {
  readonly id: string;
  readonly at: number;
  readonly by: string;
  readonly before: string;
  readonly of?: string;
  /** Absent for a turn that was cut off. */
  readonly after?: string;
  readonly named?: readonly string[];
  /** The agent made commits or changed branches. */
  readonly headMoved: boolean;
  /** Where git stood when it began. */
  readonly head?: string;
  /** What git's index held before it and after it. */
  readonly staged?: string;
  readonly stagedAfter?: string;
  readonly undone: boolean;
}

const fileName = 'turns.jsonl';
export const mostTurns = 20;

export const newTurnId = () => randomBytes(4).toString('hex');

export async function logStep(home: string, line: Step): Promise<void> {
  await appendFile(join(home, fileName), `${JSON.stringify(line)}\n`, { mode: 0o600 });
}

/** The newest ones, oldest first. A line that was cut off or comes from a later version says nothing. */
export async function loggedTurns(home: string): Promise<LoggedTurn[]> {
  const text = await readFile(join(home, fileName), 'utf8').catch(() => '');
  const turns = new Map<string, LoggedTurn>();
  for (const line of text.split('\n')) {
    const read = readStep(line);
    if (read === undefined) continue;
    const turn = turns.get(read.id);
    if (read.step === 'begun') {
      const { step: _, ...begun } = read;
      turns.set(read.id, { ...begun, headMoved: false, undone: false } as LoggedTurn);
    } else if (turn !== undefined && read.step === 'ended') {
      const { after, named, head, staged } = read;
      turns.set(read.id, {
        ...{ ...turn, after, headMoved: turn.head !== head },
        ...(staged === undefined ? {} : { stagedAfter: staged }),
        ...(named === undefined ? {} : { named }),
      });
    } else if (turn !== undefined) {
      turns.set(read.id, { ...turn, undone: true });
      const again = turns.get(turn.of ?? '');
      if (again !== undefined) turns.set(again.id, { ...again, undone: false });
    }
  }
  return [...turns.values()].slice(-mostTurns);
}

function readStep(line: string): Step | undefined {
  try {
    return step.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
