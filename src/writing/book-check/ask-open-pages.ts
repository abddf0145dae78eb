// Asks a model for every page that has no answer yet, several at a time. Each answer is kept as soon as it is there, so whatever
// ends the run, the next one goes on from it.
import { GalleyError, isGalleyError, type Warning } from '../../core/model/error.js';
import type { RunRecord } from '../../models/contract/model.js';
import type { Store } from '../../store/store.js';
import { askPage, readJudgement } from '../judge/model-judge.js';
import type { StoryChapter } from '../story/story-so-far.js';
import { forgetOthers, type KeptJudgement, keep } from './kept-judgements.js';
import { type ModelCheckPorts, numbered, type PreparedPage } from './prepare-pages.js';

export interface ModelChecked {
  readonly runs: readonly RunRecord[];
  readonly warnings: readonly Warning[];
}

interface Asking {
  readonly store: Store;
  readonly projectId: string;
  readonly model: ModelCheckPorts;
  /** All chapters are asked for: answers nothing asks for any more can go. */
  readonly isWhole: boolean;
  fail(chapter: StoryChapter, error: unknown): void;
  onProgress(progress: { readonly stage: string; readonly done: number; readonly total: number }): void;
}

const atOnce = 4;
/** A model that fails so often in a row is not asked for the rest. */
const mostFailures = 3;

export async function askOpenPages(pages: readonly PreparedPage[], asking: Asking): Promise<ModelChecked> {
  const { model, onProgress, fail } = asking;
  const runs: RunRecord[] = [];
  const warnings: Warning[] = [];
  const open = pages.filter((page) => page.isOpen());
  const waiting = open[Symbol.iterator]();
  let done = pages.length - open.length;
  let failures = 0;
  let last: unknown;
  const report = () => onProgress({ stage: 'check', done, total: pages.length });
  const work = async () => {
    for (const page of waiting) {
      if (failures >= mostFailures) {
        fail(page.chapter, last);
        continue;
      }
      try {
        const said = await judgePage(page, asking);
        runs.push(said.run);
        warnings.push(...said.warnings);
        failures = 0;
      } catch (error) {
        if (model.signal.aborted || !isGalleyError(error) || error.code === 'CANCELLED') throw error;
        failures += 1;
        last = error;
        fail(page.chapter, error);
      }
      done += 1;
      report();
    }
  };
  report();
  await settled(Array.from({ length: Math.min(atOnce, open.length) }, work));
  if (asking.isWhole && pages.every((page) => !page.isOpen()))
    await forgetOthers(asking.store, asking.projectId, {
      model: model.model.id,
      used: new Set(pages.map(({ key }) => key)),
    });
  return { runs, warnings: joined(warnings) };
}

/** Whoever is still asking comes to an end before a failure is told. */
async function settled(workers: readonly Promise<void>[]): Promise<void> {
  for (const ended of await Promise.allSettled(workers)) if (ended.status === 'rejected') throw ended.reason;
}

async function judgePage(
  page: PreparedPage,
  { store, projectId, model }: Asking,
): Promise<{ run: RunRecord; warnings: readonly Warning[] }> {
  const { answer, record } = await askPage(page.page, model);
  await model.onSent(page.page.sealed.receipt);
  const place = { text: page.chapter.text, ...page.page.range };
  const read = readJudgement(answer.text, place, numbered(page.statements));
  if (read === undefined)
    throw new GalleyError(
      'MODEL_ANSWER_INVALID',
      'The answer of the model holds no findings that can be read.',
    );
  const judgement: KeptJudgement = {
    model: model.model.id,
    findings: read.findings.map((finding) => ({
      ...finding,
      check: 'model',
      start: finding.start - page.offset,
      end: finding.end - page.offset,
    })),
  };
  page.take(judgement);
  await keep(store, projectId, { key: page.key, judgement });
  return { run: record, warnings: read.warnings };
}

/** Said once, however many pages it is true of. */
function joined(warnings: readonly Warning[]): Warning[] {
  return [...new Map(warnings.map((warning) => [warning.message, warning])).values()];
}
