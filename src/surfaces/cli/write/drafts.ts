// galley write drafts, draft and undo: what skills wrote and waits, what it would change, and into the chapter or aside with it.
import { GalleyError } from '../../../core/model/error.js';
import type { AnswerOf } from '../../../operations/table.js';
import { wholeNumber } from '../shell/read-input.js';
import { colours } from '../terminal/colours.js';
import { grouped, terminalWidth, textTable } from '../terminal/table.js';
import { print, printJson, say, whenWords } from '../terminal/talk.js';
import { counted, factWords, word } from '../words/word.js';
import { findChapter } from './chapter.js';
import { piecesText } from './draft-diff.js';
import { type WriteOptions, type WriteProject, withWriteProject } from './write-project.js';

type ListedDraft = AnswerOf<'drafts:list'>['drafts'][number];

export async function listDrafts(options: WriteOptions & { readonly all?: boolean }): Promise<void> {
  await withWriteProject(options, 'reads', async (project) => {
    const { drafts, ...rest } = await project.call('drafts:list');
    const shown = options.all ? drafts : drafts.filter(isWaiting);
    if (project.json) return printJson({ ...rest, drafts: shown });
    const { documents } = await project.call('documents:list');
    const titles = new Map(documents.map(({ documentId, title }) => [documentId, title]));
    if (shown.length === 0) {
      const command = 'galley write run polish 1';
      say(`${drafts.length === 0 ? word('draft.none', { command }) : word('draft.none-open')}\n`);
      return;
    }
    print(
      textTable(
        [
          { title: word('draft.col.number'), align: 'right' },
          { title: word('write.col.chapter'), shrink: true },
          { title: word('draft.col.skill') },
          { title: word('draft.col.when') },
          { title: word('write.col.words'), align: 'right' },
          { title: word('draft.col.state') },
        ],
        shown.map((draft) => [
          String(draft.number),
          titles.get(draft.documentId) ?? draft.documentId,
          draft.skillId,
          whenWords(draft.createdAt),
          grouped(draft.words),
          factWords(`draft.${draft.state}`, draft.state) + variantNote(draft, drafts),
        ]),
        { width: terminalWidth() },
      ),
    );
    say(
      `${colours.dim(word('draft.next', { command: `galley write draft show ${shown.at(-1)?.number}` }))}\n`,
    );
  });
}

const isWaiting = ({ state }: ListedDraft) => state === 'open' || state === 'partly applied';

function variantNote({ variantOf, number }: ListedDraft, drafts: readonly ListedDraft[]): string {
  if (variantOf === undefined) return '';
  const of = drafts.filter((other) => other.variantOf === variantOf).length;
  return ` · ${word('draft.variant', { n: number - variantOf + 1, of })}`;
}

export async function showDraft(
  draft: string,
  options: WriteOptions & { readonly text?: boolean },
): Promise<void> {
  await withWriteProject(options, 'reads', async (project) => {
    const found = await project.call('drafts:get', { draft });
    if (project.json) return printJson(found);
    if (options.text) return print(`${found.text}\n`);
    print(piecesText(found.pieces));
    if (found.isStale && found.state === 'open') say(`${colours.yellow('!')} ${word('draft.stale')}\n`);
    say(`${colours.dim(word('draft.take', { command: applyCommand(found) }))}\n`);
  });
}

const applyCommand = ({ number }: Pick<ListedDraft, 'number'>) => `galley write draft apply ${number}`;

interface ApplyFlags extends WriteOptions {
  readonly parts?: string;
  readonly keepVariants?: boolean;
}

export async function applyDraftCommand(draft: string, options: ApplyFlags): Promise<void> {
  await withWriteProject(options, 'changes', async (project) => {
    await project.follow();
    const pieces = options.parts === undefined ? {} : { pieces: partsOf(options.parts) };
    const keepVariants = options.keepVariants === true;
    const applied = await project.call('drafts:apply', { draft, ...pieces, keepVariants });
    if (project.json) return printJson(applied);
    sayApplied(applied);
  });
}

/** 1,3 or 2-4. */
function partsOf(words: string): number[] {
  const numbers = words.split(/[,，、\s]+/u).flatMap((part) => {
    const [first = '', last = first] = part.split(/[-–]/u);
    const [from, to] = [wholeNumber(first, '--parts', 1), wholeNumber(last, '--parts', 1)];
    if (to - from > 10_000) throw new GalleyError('INVALID_ARGUMENT', '--parts: these are too many.');
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, nth) => from + nth);
  });
  return [...new Set(numbers)];
}

export function sayApplied(applied: AnswerOf<'drafts:apply'>): void {
  const { documentId, applied: now, remaining, isMerged, discarded } = applied;
  const merged = isMerged ? ` · ${word('draft.merged')}` : '';
  const rest =
    remaining.length === 0 ? '' : ` · ${word('draft.remaining', { pieces: remaining.join(', ') })}`;
  const aside = discarded.length === 0 ? '' : ` · ${word('draft.others', { drafts: discarded.join(', ') })}`;
  const done = word('draft.applied', { changes: counted(now.length, 'change'), chapter: documentId });
  say(`${colours.green('✓')} ${done}${merged}${rest}${aside}\n`);
  say(`${colours.dim(word('draft.undo', { command: 'galley write undo' }))}\n`);
}

export async function discardDraftCommand(draft: string, options: WriteOptions): Promise<void> {
  await withWriteProject(options, 'changes', async (project) => {
    const answer = await project.call('drafts:discard', { draft });
    if (project.json) return printJson(answer);
    say(`${colours.green('✓')} ${word('draft.discarded', { draft: answer.draft })}\n`);
  });
}

export async function undoCommand(chapter: string | undefined, options: WriteOptions): Promise<void> {
  await withWriteProject(options, 'changes', async (project) => {
    // Looking for the last change takes the lock of the folder, which would make .galley.
    if (!project.isKept) throw new GalleyError('NOT_FOUND', 'There is nothing to undo here.');
    await project.follow();
    const { documentId } = chapter === undefined ? {} : await findChapter(project, chapter);
    const undone = await project.call('drafts:undo', documentId === undefined ? {} : { documentId });
    if (project.json) return printJson(undone);
    const merged = undone.isMerged ? ` · ${word('draft.merged')}` : '';
    const what =
      undone.draft === undefined
        ? word('draft.undone-restore', { chapter: undone.documentId })
        : word('draft.undone', { draft: undone.draft, chapter: undone.documentId });
    const again =
      undone.reopened.length === 0
        ? ''
        : ` · ${word('draft.reopened', { drafts: undone.reopened.join(', ') })}`;
    say(`${colours.green('✓')} ${what}${merged}${again}\n`);
  });
}

/** For whoever holds the name of a draft and tells people about it. */
export async function numberOf(project: WriteProject, draft: string): Promise<number> {
  return (await project.call('drafts:get', { draft })).number;
}
