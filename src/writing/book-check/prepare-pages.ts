// What a model would be asked of a chapter, page by page, and what it said before. Findings are kept by the number of the statement
// and by their place on the page, so that they hold wherever the page stands.
import { GalleyError } from '../../core/model/error.js';
import type { Receipt } from '../../core/model/receipt.js';
import type { Store } from '../../store/store.js';
import { type JudgedPage, judgePages, type ModelJudgePorts } from '../judge/model-judge.js';
import type { StoryChapter } from '../story/story-so-far.js';
import type { JudgedFinding } from './book-finding.js';
import { judgementKey, type KeptJudgement, readKept } from './kept-judgements.js';

/** A rule or a statement of the book that a model reads for. */
export interface OpenRule {
  readonly ruleId: string;
  readonly rule: string;
  readonly isKnown?: boolean;
}

export interface ModelCheckPorts extends ModelJudgePorts {
  /** The receipt of every prompt that was answered. */
  onSent(receipt: Receipt): Promise<void>;
}

export interface PreparedPage {
  readonly chapter: StoryChapter;
  readonly page: JudgedPage;
  readonly key: string;
  readonly statements: readonly OpenRule[];
  /** Code points of the chapter before the page. */
  readonly offset: number;
  isOpen(): boolean;
  take(judgement: KeptJudgement): void;
  findings(): readonly JudgedFinding[];
}

interface ChapterToAsk {
  readonly chapter: StoryChapter;
  readonly statements: readonly OpenRule[];
  readonly projectId: string;
}

interface PreparePorts {
  readonly store: Store;
  readonly model: ModelCheckPorts;
  fail(chapter: StoryChapter, error: unknown): void;
}

export async function preparePages(
  { chapter, statements, projectId }: ChapterToAsk,
  { store, model, fail }: PreparePorts,
): Promise<PreparedPage[]> {
  if (statements.length === 0 || chapter.text.trim() === '') return [];
  const asked = numbered(statements);
  const { pages, left } = await judgePages(
    chapter.text,
    {
      constraints: asked.filter((_, index) => !statements[index]?.isKnown),
      known: asked.filter((_, index) => statements[index]?.isKnown),
    },
    model,
  );
  if (left > 0)
    fail(
      chapter,
      new GalleyError(
        'CONTEXT_INPUT_TOO_LARGE',
        `${left} paragraphs are longer than the model can read and were not checked by it.`,
      ),
    );
  const prepared: PreparedPage[] = [];
  for (const page of pages) {
    const key = judgementKey(model.model.id, page.sealed);
    let known = await readKept(store, projectId, key);
    const offset = [...chapter.text.slice(0, page.range.start)].length;
    prepared.push({
      ...{ chapter, page, key, statements, offset },
      isOpen: () => known === undefined,
      take: (judgement) => {
        known = judgement;
      },
      findings: () =>
        (known?.findings ?? []).flatMap(({ constraintId, start, end, check, message }) => {
          const broken = statements[Number(constraintId)];
          if (broken === undefined) return [];
          const { ruleId, rule } = broken;
          return [{ start: start + offset, end: end + offset, check, message, ruleId, rule }];
        }),
    });
  }
  return prepared;
}

/** Called by their place, constraints before what the book knows. */
export function numbered(statements: readonly OpenRule[]): { readonly id: string; readonly text: string }[] {
  return statements.map(({ rule }, index) => ({ id: String(index), text: rule }));
}
