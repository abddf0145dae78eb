// galley write summarise and galley write summaries: what chapters are about, by a model or by hand.
import { GalleyError } from '../../../core/model/error.js';
import type { AnswerOf } from '../../../operations/table.js';
import { wholeBook } from '../../../writing/notes/book-notes.js';
import { dollarsOf } from '../review/review-request.js';
import { colours } from '../terminal/colours.js';
import { pageCounter } from '../terminal/progress.js';
import { grouped, terminalWidth, textTable } from '../terminal/table.js';
import { print, printJson, say, sayWarnings } from '../terminal/talk.js';
import { counted, factWords, word } from '../words/word.js';
import { findChapter } from './chapter.js';
import { type WriteOptions, type WriteProject, withWriteProject } from './write-project.js';

interface SummariseOptions extends WriteOptions {
  readonly model?: string;
  readonly maxCost?: string;
  readonly again?: boolean;
  readonly byHand?: boolean;
  readonly dryRun?: boolean;
}

export async function summarise(chapters: readonly string[], options: SummariseOptions): Promise<void> {
  await withWriteProject(options, 'works-on-chapters', async (project) => {
    sayWarnings((await project.follow())?.warnings ?? []);
    const documentIds: string[] = [];
    for (const words of chapters) documentIds.push((await findChapter(project, words)).documentId);
    const { maxCost, again = false, byHand = false, dryRun = false } = options;
    if (byHand && !again) throw new GalleyError('INVALID_ARGUMENT', '--by-hand: goes together with --again.');
    const model = options.model ?? (process.env.GALLEY_MODEL || undefined);
    const progress = pageCounter(process.stderr);
    const answer = await project.call(
      'book:summarise',
      {
        ...(documentIds.length === 0 ? {} : { documentIds }),
        ...(model === undefined ? {} : { model }),
        ...(maxCost === undefined ? {} : { maxCost: dollarsOf(maxCost) }),
        ...{ again, byHand, dryRun },
      },
      {
        onProgress: progress.show,
        onSpending: (estimate) => say(`${planWords(estimate, model)}\n`),
      },
    );
    progress.clear();
    if (!answer.complete) process.exitCode = 3;
    if (project.json) return printJson(answer);
    for (const { title, kind, outcome, code } of answer.summaries) {
      if (outcome === 'kept') continue;
      const name = title === '' ? factWords(`sum.${kind}`, kind) : title;
      print(
        `${factWords(`sum.${outcome}`, outcome)}  ${name}${code === undefined ? '' : colours.dim(` ${code}`)}\n`,
      );
    }
    const kept = answer.summaries.filter(({ outcome }) => outcome === 'kept').length;
    if (kept > 0) say(`${word('write.sum.kept', { summaries: counted(kept, 'summary') })}\n`);
    if (!answer.complete) say(`${word('write.sum.again')}\n`);
  });
}

function planWords(
  { calls, wholes, inputTokens, dollars }: AnswerOf<'book:summarise'>['estimate'],
  model: string | undefined,
): string {
  const unknown = word(model === undefined ? 'write.sum.no-model' : 'write.price.unknown');
  return word('write.sum.plan', {
    calls: counted(calls, 'call'),
    more: wholes === 0 ? '' : word('write.sum.wholes', { n: wholes }),
    tokens: grouped(inputTokens),
    cost: dollars === undefined ? unknown : word('write.sum.cost', { dollars: `$${dollars.toFixed(2)}` }),
  });
}

export async function listSummaries(words: string | undefined, options: WriteOptions): Promise<void> {
  await withWriteProject(options, 'reads', async (project) => {
    sayWarnings((await project.follow())?.warnings ?? []);
    const { summaries, ...rest } = await project.call('summaries:list');
    const about = words === undefined ? undefined : await aboutOf(words, summaries, project);
    const shown =
      about === undefined ? summaries : summaries.filter(({ documentId }) => documentId === about);
    if (project.json) return printJson({ summaries: shown, ...rest });
    if (about !== undefined) return showSummary(shown[0], words ?? '');
    if (shown.length === 0) return print(`${word('write.sum.nothing')}\n`);
    const titles = ['chapter', 'state', 'by', 'text'] as const;
    print(
      textTable(
        titles.map((title) => ({ title: word(`write.sum.col.${title}`), shrink: title === 'text' })),
        shown.map(({ title, kind, state, by, text }) => [
          title === '' ? factWords(`sum.${kind}`, kind) : title,
          factWords(`sum.${state}`, state),
          by ?? (text === '' ? '' : word('write.sum.hand')),
          text.replace(/\s+/g, ' '),
        ]),
        { width: terminalWidth() },
      ),
    );
  });
}

type Summary = AnswerOf<'summaries:list'>['summaries'][number];

/** The book, a part by its folder, or a chapter. */
async function aboutOf(words: string, summaries: readonly Summary[], project: WriteProject): Promise<string> {
  if (words === wholeBook || words === '全书') return wholeBook;
  const part = summaries.find(({ documentId, kind }) => kind === 'part' && documentId === words);
  return part?.documentId ?? (await findChapter(project, words)).documentId;
}

function showSummary(summary: Summary | undefined, words: string): void {
  print(`${summary?.text || word('write.sum.none')}\n`);
  if (summary?.state !== 'stale') return;
  const { kind, by } = summary;
  const chapter = kind === 'chapter' ? ` ${words}` : '';
  const command = `galley write ${by === undefined && kind === 'chapter' ? 'summaries keep' : 'summarise'}${chapter}`;
  say(`${colours.yellow('!')} ${word('write.sum.is-stale', { command })}\n`);
}

/** What is there holds for the chapter as it stands now. */
export async function keepSummary(words: string, options: WriteOptions): Promise<void> {
  await withWriteProject(options, 'changes', async (project) => {
    await project.follow();
    const { documentId, title } = await findChapter(project, words);
    const { summaries } = await project.call('summaries:list');
    if (summaries.every((each) => each.documentId !== documentId || each.text === ''))
      throw new GalleyError(
        'NOT_FOUND',
        'There is no summary of this chapter yet; galley write summarise has a model write it.',
      );
    const answer = await project.call('summaries:put', { documentId });
    if (project.json) return printJson(answer);
    print(`${word('write.sum.holds', { title })}\n`);
  });
}
