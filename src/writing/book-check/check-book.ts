// Every chapter of a book held against its rules: first what needs no model, then, with one, the rules no check covers and what the
// book says elsewhere. A chapter that fails is named, and the others go on.
import { GalleyError, toGalleyError } from '../../core/model/error.js';
import { loadMeter } from '../../meters/load-meter.js';
import { meterForModel } from '../../meters/meter-for-model.js';
import type { Store } from '../../store/store.js';
import type { DocumentEntry } from '../../store/tables/documents.js';
import { storyPlaces } from '../documents/story-places.js';
import { type JudgeMaterial, judgeMaterial, judgeText } from '../judge/judge-project.js';
import type { StoryChapter } from '../story/story-so-far.js';
import { askOpenPages, type ModelChecked } from './ask-open-pages.js';
import { type BookFinding, type JudgedFinding, placedFindings } from './book-finding.js';
import { readIntended, withIntended } from './intended.js';
import { knownIn } from './known-statements.js';
import { type ModelCheckPorts, type OpenRule, type PreparedPage, preparePages } from './prepare-pages.js';

export interface CheckRequest {
  readonly projectId: string;
  /** All of them when left out. */
  readonly documentIds?: readonly string[] | undefined;
  /** Says what it would cost, and asks nobody. */
  readonly dryRun: boolean;
}

export interface CheckPorts {
  readonly store: Store;
  readonly folder: string | undefined;
  readonly model?: ModelCheckPorts | undefined;
  onEstimate(estimate: CheckEstimate): void;
  onProgress(progress: { readonly stage: string; readonly done: number; readonly total: number }): void;
}

export interface CheckEstimate {
  readonly pages: number;
  /** Pages without an answer from before. */
  readonly calls: number;
  readonly inputTokens: number;
}

export interface FailedChapter {
  readonly documentId: string;
  readonly title: string;
  readonly code: string;
  readonly message: string;
}

export interface BookCheck extends Pick<ModelChecked, 'runs' | 'warnings'> {
  readonly chapters: number;
  /** In reading order; those that are intended too. */
  readonly findings: readonly BookFinding[];
  /** Rules nothing has checked, in their own words. */
  readonly unchecked: readonly string[];
  readonly failed: readonly FailedChapter[];
  readonly complete: boolean;
}

interface Judged {
  readonly chapter: StoryChapter;
  readonly number: number;
  readonly findings: JudgedFinding[];
  readonly open: readonly OpenRule[];
}

export async function checkBook(request: CheckRequest, ports: CheckPorts): Promise<BookCheck> {
  const { projectId, dryRun } = request;
  const { store, folder, model } = ports;
  const material = await judgeMaterial(store, folder, { projectId });
  const { chapters, chosen, places } = await chaptersOf(request, store);
  const judged = chosen.map((entry) =>
    judgeChapter(entry, chapters, { ...material, chapter: places.get(entry.id) ?? entry.order }),
  );
  const failed: FailedChapter[] = [];
  const fail = ({ id, title }: StoryChapter, error: unknown) => {
    const { code, message } = toGalleyError(error);
    if (!failed.some(({ documentId }) => documentId === id))
      failed.push({ documentId: id, title, code, message });
  };
  let answered: ModelChecked = { runs: [], warnings: [] };
  if (model !== undefined) {
    const pages = await pagesOf(judged, { chapters, material, ports: { ...ports, model }, projectId, fail });
    ports.onEstimate(estimateOf(pages));
    if (!dryRun) {
      const isWhole = request.documentIds === undefined;
      answered = await askOpenPages(pages, { ...ports, projectId, isWhole, fail, model });
      for (const { chapter, findings } of judged)
        for (const page of pages) if (page.chapter === chapter) findings.push(...page.findings());
    }
  }
  const list = await readIntended(store, projectId);
  const isAsked = model !== undefined && !dryRun;
  return {
    chapters: judged.length,
    findings: judged.flatMap(({ chapter, findings }) =>
      withIntended(placedFindings(chapter, findings), list, chapter),
    ),
    unchecked: isAsked ? [] : [...new Set(judged.flatMap(({ open }) => open.map(({ rule }) => rule)))],
    failed: inOrder(failed, chosen),
    ...answered,
    complete: failed.length === 0,
  };
}

async function chaptersOf({ projectId, documentIds }: CheckRequest, store: Store) {
  const entries = await store.documents.list(projectId);
  const unknown = documentIds?.find((id) => !entries.some((entry) => entry.id === id));
  if (unknown !== undefined)
    throw new GalleyError('NOT_FOUND', 'documentIds: the project has no such document.', {
      details: { field: 'documentIds' },
    });
  const chapters: StoryChapter[] = [];
  for (const { id, title, contentHash } of entries) {
    const { text } = await store.documents.get(projectId, id);
    chapters.push({ id, title, hash: contentHash, text });
  }
  const chosen = entries.filter(({ id }) => documentIds?.includes(id) ?? true);
  return { chapters, chosen, places: storyPlaces(entries) };
}

function judgeChapter(
  entry: DocumentEntry,
  chapters: readonly StoryChapter[],
  material: JudgeMaterial & { readonly chapter: number },
): Judged {
  const chapter = chapters.find(({ id }) => id === entry.id) as StoryChapter;
  const number = material.chapter;
  const { findings, unchecked } = judgeText(chapter.text, material);
  const rules = new Map([
    ...material.constraints.map(({ id, text }) => [id, text] as const),
    ...material.entities.map(({ id, name }) => [`entity:${id}`, name] as const),
  ]);
  return {
    chapter,
    number,
    findings: findings.map(({ constraintId, start, end, check, message }) => ({
      ...{ start, end, check, message, ruleId: constraintId },
      rule: rules.get(constraintId) ?? constraintId,
    })),
    open: unchecked.map((id) => ({ ruleId: id, rule: rules.get(id) ?? id })),
  };
}

interface Preparing {
  readonly chapters: readonly StoryChapter[];
  readonly material: JudgeMaterial;
  readonly ports: CheckPorts & { readonly model: ModelCheckPorts };
  readonly projectId: string;
  fail(chapter: StoryChapter, error: unknown): void;
}

async function pagesOf(judged: readonly Judged[], preparing: Preparing): Promise<readonly PreparedPage[]> {
  const { chapters, material, ports, projectId, fail } = preparing;
  const { store, model, onProgress } = ports;
  const meter = await loadMeter(meterForModel(model.model.id).meter);
  const known = knownIn({ chapters, entities: material.entities, meter });
  const pages: PreparedPage[] = [];
  for (const [index, { chapter, number, open }] of judged.entries()) {
    model.signal.throwIfAborted();
    onProgress({ stage: 'prepare', done: index, total: judged.length });
    const statements = [
      ...open,
      ...known(chapter, number).map(({ ruleId, text }) => ({ ruleId, rule: text, isKnown: true })),
    ];
    try {
      pages.push(...(await preparePages({ chapter, statements, projectId }, { store, model, fail })));
    } catch (error) {
      model.signal.throwIfAborted();
      fail(chapter, error);
    }
  }
  return pages;
}

function estimateOf(pages: readonly PreparedPage[]): CheckEstimate {
  const open = pages.filter(({ isOpen }) => isOpen());
  const inputTokens = open.reduce((sum, { page }) => sum + page.sealed.receipt.used.n, 0);
  return { pages: pages.length, calls: open.length, inputTokens };
}

function inOrder(failed: readonly FailedChapter[], entries: readonly DocumentEntry[]): FailedChapter[] {
  const place = new Map(entries.map(({ id }, index) => [id, index]));
  return [...failed].sort(
    (left, right) => (place.get(left.documentId) ?? 0) - (place.get(right.documentId) ?? 0),
  );
}
