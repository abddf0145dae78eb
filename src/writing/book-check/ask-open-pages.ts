// Asks a model for every page that has no answer yet, several at a time. Each answer is kept as soon as it is there, so whatever
// ends the run, the next one goes on from it.
import { GalleyError, type Warning } from '../../core/model/error.js';
import type { RunRecord } from '../../models/contract/model.js';
import type { Store } from '../../store/store.js';
import { askPage, readJudgement } from '../judge/model-judge.js';
import { askEach } from '../passages/ask-each.js';
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

export async function askOpenPages(pages: readonly PreparedPage[], asking: Asking): Promise<ModelChecked> {
  const { model, onProgress, fail } = asking;
  const runs: RunRecord[] = [];
  const warnings: Warning[] = [];
  const open = pages.filter((page) => page.isOpen());
  let done = pages.length - open.length;
  const report = () => onProgress({ stage: 'check', done, total: pages.length });
  report();
  await askEach(open, {
    signal: model.signal,
    ask: async (page) => {
      const said = await judgePage(page, asking);
      runs.push(said.run);
      warnings.push(...said.warnings);
    },
    fail: ({ chapter }, error) => fail(chapter, error),
    onDone: () => {
      done += 1;
      report();
    },
  });
  if (asking.isWhole && pages.every((page) => !page.isOpen()))
    await forgetOthers(asking.store, asking.projectId, {
      model: model.model.id,
      used: new Set(pages.map(({ key }) => key)),
    });
  return { runs, warnings: joined(warnings) };
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
