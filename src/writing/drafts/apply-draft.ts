// From a draft to the chapter, whole or in pieces. The chapter may have been edited meanwhile: edits elsewhere stay, edits in the same
// place refuse the draft and are named.
import { GalleyError } from '../../core/model/error.js';
import { hashText } from '../../meters/content-hash.js';
import { changeChapter, isPiece, type Merge, mergeInto, openChapter, settle } from './change-chapter.js';
import { appliedPieces, type Draft, type DraftState, stateOf } from './draft.js';
import type { DraftHome } from './home.js';
import { type DraftPiece, piecesOf, withIndent } from './pieces.js';
import type { Step } from './steps.js';

export interface StandingDraft {
  readonly draft: Draft;
  readonly pieces: readonly DraftPiece[];
  /** Numbers of pieces that stand in the chapter. */
  readonly applied: ReadonlySet<number>;
  readonly state: DraftState;
  /** The chapter it was made from. */
  readonly base: string;
}

export async function standingOf(
  home: DraftHome,
  draft: Draft,
  steps: readonly Step[],
): Promise<StandingDraft> {
  const base = home.textOf(await home.kept(draft.base), draft.documentId).text;
  const pieces = piecesOf(base, draft);
  const applied = appliedPieces(draft, steps);
  return { draft, pieces, applied: applied.numbers, state: stateOf(draft, applied), base };
}

/** By its name, or by its number. */
export async function findDraft(home: DraftHome, called: string): Promise<Draft> {
  const drafts = await home.drafts();
  const found =
    drafts.find(({ name }) => name === called) ?? drafts.find(({ number }) => String(number) === called);
  if (found !== undefined) return found;
  throw new GalleyError('NOT_FOUND', 'No such draft; drafts:list names those of this project.', {
    details: { field: 'draft' },
  });
}

export interface ApplyOptions {
  /** Pieces by number; all that are not applied yet when left out. */
  readonly pieces?: readonly number[] | undefined;
  readonly keepVariants: boolean;
  readonly at: number;
}

export interface AppliedDraft {
  readonly draft: Draft;
  readonly applied: readonly number[];
  readonly remaining: readonly number[];
  readonly isMerged: boolean;
  /** Names of variants that were discarded with it. */
  readonly discarded: readonly string[];
  /** What was taken of it, as prose. */
  readonly taken: string;
}

export async function applyDraft(
  home: DraftHome,
  called: string,
  { pieces: asked, keepVariants, at }: ApplyOptions,
): Promise<AppliedDraft> {
  return home.exclusively(async () => {
    await settle(home);
    const draft = await findDraft(home, called);
    const standing = await standingOf(home, draft, (await home.log()).steps);
    const chosen = chosenPieces(standing, asked);
    const chapter = await openChapter(home, draft.documentId);
    const merge = mergeInto(chapter, standing.base, chosen);
    if (merge.conflicts.length > 0) throw conflict(draft, merge, chosen.length);
    const numbers = chosen.map(({ number }) => number);
    const variants = keepVariants ? [] : await openVariants(home, draft);
    const aside = variants.map(({ name }) => name);
    const words = { kind: 'apply', at, draft: draft.name, draftText: hashText(draft.text) } as const;
    await changeChapter(home, chapter, merge.bytes, {
      ...words,
      pieces: numbers,
      of: standing.pieces.length,
      ...(aside.length === 0 ? {} : { aside }),
    });
    for (const variant of variants) await home.putDraft({ ...variant, isDiscarded: true });
    const done = new Set([...standing.applied, ...numbers]);
    return {
      draft,
      applied: numbers,
      remaining: standing.pieces.flatMap(({ number }) => (done.has(number) ? [] : [number])),
      isMerged: merge.isMerged,
      discarded: aside,
      taken: takenText(standing, done),
    };
  });
}

function chosenPieces(
  { draft, pieces, applied, state }: StandingDraft,
  asked: readonly number[] | undefined,
): DraftPiece[] {
  if (pieces.length === 0)
    throw new GalleyError('NOT_FOUND', `${draft.name} changes nothing; the chapter says the same already.`);
  if (state === 'applied')
    throw new GalleyError('ALREADY_EXISTS', `${draft.name} is applied already; undo it first.`);
  const unknown = asked?.find((number) => !pieces.some((piece) => piece.number === number));
  if (unknown !== undefined)
    throw new GalleyError(
      'INVALID_ARGUMENT',
      `pieces: there is no piece ${unknown}; ${draft.name} has ${pieces.length}.`,
      { details: { field: 'pieces' } },
    );
  const again = asked?.find((number) => applied.has(number));
  if (again !== undefined)
    throw new GalleyError('ALREADY_EXISTS', `Piece ${again} of ${draft.name} is applied already.`);
  return pieces.filter(({ number }) => (asked === undefined ? !applied.has(number) : asked.includes(number)));
}

function conflict({ name, documentId }: Draft, { conflicts }: Merge, chosen: number): GalleyError {
  const [first] = conflicts;
  const numbers = conflicts.flatMap(({ edit }) => (isPiece(edit) ? [edit.number] : []));
  const others = numbers.length < chosen ? ' The other pieces can be applied by number.' : '';
  return new GalleyError(
    'CHANGED_MEANWHILE',
    `${documentId} was edited in the same place since ${name} was made: paragraph ${first?.paragraph}, line ${first?.line} (piece ${numbers.join(', ')}). Nothing was written.${others}`,
    {
      details: {
        path: documentId,
        line: first?.line ?? 1,
        paragraph: first?.paragraph ?? 1,
        pieces: numbers.map(String),
      },
    },
  );
}

/** All of the text, or the words of the pieces. */
function takenText({ draft, pieces }: StandingDraft, done: ReadonlySet<number>): string {
  if (done.size >= pieces.length) return draft.text;
  return pieces
    .filter(({ number }) => done.has(number))
    .map(({ text }) => text.trim())
    .filter((text) => text !== '')
    .join('\n');
}

async function openVariants(home: DraftHome, { name, variantOf }: Draft): Promise<Draft[]> {
  if (variantOf === undefined) return [];
  return (await home.drafts()).filter(
    (other) => other.variantOf === variantOf && other.name !== name && !other.isDiscarded,
  );
}

export async function discardDraft(home: DraftHome, called: string): Promise<Draft> {
  return home.exclusively(async () => {
    await settle(home);
    const draft = { ...(await findDraft(home, called)), isDiscarded: true };
    await home.putDraft(draft);
    return draft;
  });
}

/** The author's own words in place of the draft's. */
export async function rewriteDraft(home: DraftHome, called: string, text: string): Promise<Draft> {
  return home.exclusively(async () => {
    const draft = { ...(await findDraft(home, called)), text: withIndent(text) };
    await home.putDraft(draft);
    return draft;
  });
}
