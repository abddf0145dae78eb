// galley write summarise and galley write summaries: what chapters are about, by a model or by hand.
import { dollarsOf } from '../review/review-request.js';
import { colours } from '../terminal/colours.js';
import { pageCounter } from '../terminal/progress.js';
import { grouped, terminalWidth, textTable } from '../terminal/table.js';
import { print, printJson, say, sayWarnings } from '../terminal/talk.js';
import { factWords, word } from '../words/word.js';
import { findChapter } from './chapter.js';
import { type WriteOptions, withWriteProject } from './write-project.js';

interface SummariseOptions extends WriteOptions {
  readonly model?: string;
  readonly maxCost?: string;
  readonly again?: boolean;
  readonly dryRun?: boolean;
}

export async function summarise(chapters: readonly string[], options: SummariseOptions): Promise<void> {
  await withWriteProject(options, 'writes', async (project) => {
    sayWarnings((await project.follow())?.warnings ?? []);
    const documentIds: string[] = [];
    for (const words of chapters) documentIds.push((await findChapter(project, words)).documentId);
    const { maxCost, again = false, dryRun = false } = options;
    const model = options.model ?? (process.env.GALLEY_MODEL || undefined);
    const progress = pageCounter(process.stderr);
    const answer = await project.call(
      'book:summarise',
      {
        ...(documentIds.length === 0 ? {} : { documentIds }),
        ...(model === undefined ? {} : { model }),
        ...(maxCost === undefined ? {} : { maxCost: dollarsOf(maxCost) }),
        ...{ again, dryRun },
      },
      {
        onProgress: progress.show,
        onSpending: ({ calls, inputTokens, dollars }) => {
          const cost = dollars === undefined ? '' : word('write.sum.cost', { dollars: dollars.toFixed(2) });
          say(`${word('write.sum.plan', { calls: grouped(calls), tokens: grouped(inputTokens), cost })}\n`);
        },
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
    if (kept > 0) say(`${word('write.sum.kept', { n: kept })}\n`);
    if (!answer.complete) say(`${word('write.sum.again')}\n`);
  });
}

export async function listSummaries(words: string | undefined, options: WriteOptions): Promise<void> {
  await withWriteProject(options, 'reads', async (project) => {
    sayWarnings((await project.follow())?.warnings ?? []);
    const { summaries, ...rest } = await project.call('summaries:list');
    const about = words === undefined ? undefined : (await findChapter(project, words)).documentId;
    const shown =
      about === undefined ? summaries : summaries.filter(({ documentId }) => documentId === about);
    if (project.json) return printJson({ summaries: shown, ...rest });
    const [only] = shown;
    if (about !== undefined && only !== undefined)
      return print(`${only.text === '' ? word('write.sum.none') : only.text}\n`);
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

/** What is there holds for the chapter as it stands now. */
export async function keepSummary(words: string, options: WriteOptions): Promise<void> {
  await withWriteProject(options, 'writes', async (project) => {
    await project.follow();
    const { documentId, title } = await findChapter(project, words);
    const answer = await project.call('summaries:put', { documentId });
    if (project.json) return printJson(answer);
    print(`${word('write.sum.holds', { title })}\n`);
  });
}
