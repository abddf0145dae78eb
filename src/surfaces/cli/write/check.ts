// galley write check: the whole book held against its rules, as a list one can jump through; and "this is intended", by the number
// in the last list.
import { GalleyError, isGalleyError } from '../../../core/model/error.js';
import type { AnswerOf } from '../../../operations/table.js';
import { wordsOf } from '../../../writing/book-check/book-finding.js';
import { checkPrefix } from '../../../writing/folder/material.js';
import { wholeNumber } from '../shell/read-input.js';
import { colours } from '../terminal/colours.js';
import { checkCounter } from '../terminal/progress.js';
import { grouped } from '../terminal/table.js';
import { print, printJson, say, sayWarnings } from '../terminal/talk.js';
import { counted, word } from '../words/word.js';
import { findChapter } from './chapter.js';
import { findingList } from './finding-list.js';
import { modelRequest, type PricedOptions, priceWords, spentWords } from './price-words.js';
import { type WriteProject, withWriteProject } from './write-project.js';

type BookCheck = AnswerOf<'book:check'>;
type Finding = BookCheck['findings'][number];

interface CheckOptions extends PricedOptions {
  readonly all?: boolean;
  readonly failOnFindings?: boolean;
  readonly intended?: readonly string[];
  readonly why?: string;
}

export async function checkChapters(chapters: readonly string[], options: CheckOptions): Promise<void> {
  const { intended } = options;
  if (intended !== undefined) return noteIntended(intended, options);
  // What a model answered is kept, whatever ends the run.
  const kind = options.model === undefined || options.dryRun ? 'reads' : 'writes';
  await withWriteProject(options, kind, async (project) => {
    const answer = await check(project, chapters, options);
    const shown = answer.findings.filter((finding) => options.all === true || !finding.intended);
    if (!answer.complete) process.exitCode = 3;
    else if (options.failOnFindings && answer.findings.some((finding) => !finding.intended))
      process.exitCode = 1;
    if (options.dryRun) return project.json ? printJson(answer) : undefined;
    await rememberList(project, shown);
    if (project.json) return printJson(answer);
    print(findingList(shown));
    tell(answer, shown);
  });
}

async function check(
  project: WriteProject,
  chapters: readonly string[],
  options: CheckOptions,
): Promise<BookCheck> {
  sayWarnings((await project.follow())?.warnings ?? []);
  const documentIds: string[] = [];
  for (const words of chapters) documentIds.push((await findChapter(project, words)).documentId);
  const progress = checkCounter(process.stderr);
  try {
    const answer = await project.call(
      'book:check',
      { ...modelRequest(options), ...(documentIds.length === 0 ? {} : { documentIds }) },
      {
        onEstimate: (estimate) => {
          progress.clear();
          say(`${priceWords(estimate, options.model ?? '')}\n`);
        },
        onProgress: progress.show,
      },
    );
    progress.clear();
    sayWarnings(answer.warnings);
    return answer;
  } finally {
    progress.clear();
  }
}

function tell(answer: BookCheck, shown: readonly Finding[]): void {
  const { chapters, intended, unchecked, failed, spent } = answer;
  const open = answer.findings.length - intended;
  const found = word('write.check.found', {
    findings: counted(open, 'finding'),
    chapters: counted(chapters, 'chapter'),
  });
  const meant = intended === 0 ? '' : ` · ${word('write.check.meant', { n: intended })}`;
  print(`${(open === 0 ? colours.green : colours.yellow)(found)}${colours.dim(meant)}\n`);
  if (unchecked.length > 0) {
    const command = colours.cyan('galley write check --model …');
    print(`\n${colours.dim(word('write.check.unchecked', { command }))}\n`);
    print(unchecked.map((rule) => `  ${colours.dim('·')} ${rule}\n`).join(''));
  }
  if (spent !== undefined && spent.calls > 0) say(`${spentWords(spent)}\n`);
  for (const { title, documentId, message, code } of failed)
    say(`${colours.red('✗')} ${title} (${documentId}): ${message} (${code})\n`);
  if (failed.length > 0)
    say(`${word('write.check.failed', { chapters: counted(failed.length, 'chapter') })}\n`);
  const [first] = shown;
  if (first !== undefined)
    say(`${colours.dim(word('write.check.hint', { command: 'galley write check --intended 1' }))}\n`);
}

const lastKey = `${checkPrefix}last`;

interface Noted {
  readonly chapter: string;
  readonly rule: string;
  readonly words: string;
}

function notedOf(finding: Finding): Noted {
  return { chapter: finding.documentId, rule: finding.rule, words: wordsOf(finding) };
}

/** A store that cannot take it costs only the numbers. */
async function rememberList(project: WriteProject, findings: readonly Finding[]): Promise<void> {
  try {
    const store = await project.store();
    await store.settings.put(project.id, lastKey, JSON.stringify(findings.map(notedOf)));
  } catch (error) {
    if (!isGalleyError(error)) throw error;
  }
}

async function lastList(project: WriteProject, options: CheckOptions): Promise<readonly Noted[]> {
  const kept = await (await project.store()).settings.get(project.id, lastKey);
  if (kept !== undefined) return JSON.parse(kept) as Noted[];
  const { model: _model, ...plain } = options;
  const { findings } = await check(project, [], plain);
  return findings.filter(({ intended }) => !intended).map(notedOf);
}

async function noteIntended(numbers: readonly string[], options: CheckOptions): Promise<void> {
  await withWriteProject(options, 'writes', async (project) => {
    sayWarnings((await project.follow())?.warnings ?? []);
    await project.carryOver();
    const list = await lastList(project, options);
    const meant = numbers.map((number) => {
      const noted = list[wholeNumber(number, '--intended', 1) - 1];
      if (noted !== undefined) return noted;
      throw new GalleyError(
        'NOT_FOUND',
        `--intended: the last list has ${grouped(list.length)} findings; galley write check makes a new one.`,
      );
    });
    const made: AnswerOf<'book:intended:put'>[] = [];
    for (const noted of meant) {
      const why = options.why === undefined ? {} : { why: options.why };
      made.push(await project.call('book:intended:put', { ...noted, ...why }));
    }
    // What the command answers in JSON is the check, with these in it.
    if (project.json) return printJson(await check(project, [], {}));
    for (const { words, chapter = '' } of made)
      print(`${colours.green(word('write.intended.noted'))} ${words} ${colours.dim(chapter)}\n`);
  });
}
