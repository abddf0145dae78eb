// What happened to chapters, one line a step, only ever added to. A step is written down before the chapter is changed and said to be
// done afterwards; one that never was changed nothing. A line that was cut off when its writer was killed is no line.
import * as z from 'zod';

const hash = z.string().regex(/^[0-9a-f]{64}$/);

const stepLine = z.object({
  id: z.string().min(1),
  kind: z.enum(['apply', 'undo', 'restore', 'snapshot']),
  at: z.number(),
  chapter: z.string(),
  /** The chapter before; absent where there was none. */
  before: hash.optional(),
  after: hash,
  draft: z.string().optional(),
  /** Of the draft's text, as its pieces were counted. */
  draftText: hash.optional(),
  pieces: z.array(z.int().positive()).optional(),
  /** How many pieces the draft had. */
  of: z.int().positive().optional(),
  /** Other drafts of its run that were put aside with it; undoing it opens them again. */
  aside: z.array(z.string()).optional(),
  /** The step that an undo takes back. */
  undoes: z.string().optional(),
  /** Of a snapshot. */
  name: z.string().optional(),
});

/** A file under another name: steps before it are steps of that file. */
const renameLine = z.object({ renamed: z.string(), to: z.string() });

const endLine = z.object({ end: z.enum(['done', 'void']), of: z.string() });

export type Step = z.infer<typeof stepLine>;
export type StepEnd = z.infer<typeof endLine>;
export type LogEntry = Step | StepEnd;

export interface ReadLog {
  /** That happened, oldest first. */
  readonly steps: readonly Step[];
  /** Begun, and nobody said how they ended. */
  readonly open: readonly Step[];
  /** Names that chapters had, and have now. */
  readonly renames: ReadonlyMap<string, string>;
}

/** What is no entry is skipped. */
export function readLog(lines: readonly unknown[]): ReadLog {
  let begun: Step[] = [];
  const renames = new Map<string, string>();
  const ends = new Map<string, StepEnd['end']>();
  for (const line of lines) {
    const end = endLine.safeParse(line);
    // Who finished a step knows better than who found it unfinished.
    if (end.success && ends.get(end.data.of) !== 'done') ends.set(end.data.of, end.data.end);
    const step = stepLine.safeParse(line);
    if (step.success) begun.push(step.data);
    const { data: rename } = renameLine.safeParse(line);
    if (rename === undefined) continue;
    const { renamed, to } = rename;
    begun = begun.map((each) => (each.chapter === renamed ? { ...each, chapter: to } : each));
    for (const [from, now] of renames) if (now === renamed) renames.set(from, to);
    renames.set(renamed, to);
  }
  const isOver = ({ id, kind }: Step) => kind === 'snapshot' || ends.get(id) === 'done';
  return {
    steps: begun.filter(isOver),
    open: begun.filter((step) => !isOver(step) && ends.get(step.id) === undefined),
    renames,
  };
}

/** One version of a chapter that can be had again. */
export interface Version {
  /** From 1 on, oldest first; it stays when others come. */
  readonly version: number;
  readonly at: number;
  readonly hash: string;
  /** `before`: as it was when the step came; the others as the step left it. */
  readonly kind: Step['kind'] | 'before';
  readonly draft?: string;
  readonly name?: string;
}

/** Every state of a chapter that a step saw, each once in a row. */
export function versionsOf(steps: readonly Step[], chapter: string): Version[] {
  const versions: Version[] = [];
  const add = (found: Omit<Version, 'version'>) => versions.push({ version: versions.length + 1, ...found });
  for (const { chapter: own, at, kind, before, after, draft, name } of steps) {
    if (own !== chapter) continue;
    if (before !== undefined && versions.at(-1)?.hash !== before) add({ at, hash: before, kind: 'before' });
    const words = { ...(draft === undefined ? {} : { draft }), ...(name === undefined ? {} : { name }) };
    if (kind === 'snapshot' || versions.at(-1)?.hash !== after) add({ at, hash: after, kind, ...words });
  }
  return versions;
}
