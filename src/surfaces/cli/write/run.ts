// galley write run: what will be sent, the text as it is written, and what becomes of it. The text is on stdout, talk on stderr; at a
// terminal one is asked, otherwise the draft waits.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { AnswerOf } from '../../../operations/table.js';
import type { RunOutlook } from '../../../writing/skill-run/run-outlook.js';
import { wholeNumber } from '../shell/read-input.js';
import { colours } from '../terminal/colours.js';
import { explainReceipt } from '../terminal/explain-receipt.js';
import { grouped } from '../terminal/table.js';
import { askLine, canAsk, print, printJson, say, sayWarnings } from '../terminal/talk.js';
import { counted, word } from '../words/word.js';
import { type SkillRunFlags, skillRequest } from './chapter.js';
import { piecesText } from './draft-diff.js';
import { numberOf, sayApplied } from './drafts.js';
import { judgeReport } from './judge.js';
import { showSkillRun } from './skills.js';
import { type WriteProject, withWriteProject } from './write-project.js';

type WrittenText = Extract<AnswerOf<'ai:skill:run'>, { readonly dryRun: false }>;

interface WriteRunOptions extends SkillRunFlags {
  readonly judgeModel?: string;
  readonly rewrites: string;
  readonly timeout: string;
  readonly variants: string;
  readonly apply?: boolean;
  readonly dryRun?: boolean;
}

export async function runSkillCommand(
  skill: string,
  chapter: string,
  options: WriteRunOptions,
): Promise<void> {
  if (options.dryRun) return showSkillRun(skill, chapter, options);
  await withWriteProject(options, 'works-on-chapters', async (project) => {
    sayWarnings((await project.follow())?.warnings ?? []);
    const request = {
      ...(await skillRequest(project, { skill, chapter }, options)),
      rewrites: wholeNumber(options.rewrites, '--rewrites', 0),
      variants: wholeNumber(options.variants, '--variants', 1),
      timeoutMs: wholeNumber(options.timeout, '--timeout', 0) * 1000,
      ...(options.judgeModel === undefined ? {} : { judgeModel: options.judgeModel }),
    };
    for (let again = true; again; ) {
      const written = await writeOnce(project, request, options);
      again = (await finish(project, written, options)) === 'another';
    }
  });
}

async function writeOnce(
  project: WriteProject,
  request: object,
  options: WriteRunOptions,
): Promise<WrittenText> {
  const screen = liveText(process.stdout.isTTY === true && !project.json);
  const onOutlook = project.json ? undefined : sayOutlook;
  const listeners = { ...screen.listeners, ...(onOutlook === undefined ? {} : { onOutlook }) };
  const asked = project.call('ai:skill:run', request, listeners);
  const written = (await asked.finally(screen.end)) as WrittenText;
  if (project.json) return written;
  const texts = written.variants ?? [written];
  if (texts.length > 1 || !screen.shows(written.text)) {
    for (const [index, { text }] of texts.entries()) {
      if (texts.length > 1) say(colours.dim(`── ${index + 1}\n`));
      print(`${text}\n`);
    }
  }
  await tell(project, written, options);
  return written;
}

/** Two lines before anything is sent: what the model gets and what that costs, and what it does not get. */
function sayOutlook({ tokens, passages, people, secrets, laterChapters, mostDollars }: RunOutlook): void {
  const got = {
    tokens: grouped(tokens),
    passages: counted(passages, 'passage'),
    people: counted(people, 'person'),
  };
  const cost =
    mostDollars === undefined
      ? word('run.no-price')
      : word('run.at-most', { cost: `$${mostDollars.toFixed(mostDollars < 0.1 ? 4 : 2)}` });
  say(colours.dim(`${word('run.gets', got)} · ${cost}\n`));
  say(
    colours.dim(
      `${word('run.kept-back', { secrets: counted(secrets, 'secret'), chapters: counted(laterChapters, 'later') })}\n`,
    ),
  );
}

type Decision = 'apply' | 'edit' | 'another' | 'discard' | 'keep';

/** What becomes of the text; `another` asks for a new one. */
async function finish(
  project: WriteProject,
  written: WrittenText,
  { apply }: WriteRunOptions,
): Promise<'another' | 'done'> {
  const { draft } = written;
  if (draft === undefined) {
    if (project.json) printJson(written);
    return 'done';
  }
  if (apply && !isSound(written)) {
    process.exitCode = 3;
    if (project.json) printJson(written);
    else {
      say(`${word('draft.not-applied')}\n`);
      await sayKept(project, written);
    }
    return 'done';
  }
  if (apply) {
    const applied = await project.call('drafts:apply', { draft });
    if (project.json) printJson(written);
    else sayApplied(applied);
    return 'done';
  }
  if (project.json) {
    printJson(written);
    return 'done';
  }
  const isAsked = canAsk() && written.variants === undefined;
  for (let decision = isAsked ? await decide() : 'keep'; ; decision = await decide()) {
    if (decision === 'edit') {
      edit(project, draft);
      say(piecesText((await project.call('drafts:get', { draft })).pieces));
      continue;
    }
    if (decision === 'apply') sayApplied(await project.call('drafts:apply', { draft }));
    if (decision === 'discard' || decision === 'another') await project.call('drafts:discard', { draft });
    if (decision === 'discard') say(`${word('draft.discarded', { draft })}\n`);
    if (decision === 'keep') await sayKept(project, written);
    return decision === 'another' ? 'another' : 'done';
  }
}

/** Without somebody who looks, what ended early or breaks a rule does not go into the chapter. */
function isSound({ finish: ending, findings }: WrittenText): boolean {
  return ending === 'stop' && findings.length === 0;
}

async function sayKept(project: WriteProject, { draft, variants }: WrittenText): Promise<void> {
  const names = variants === undefined ? [draft] : variants.map((each) => each.draft);
  for (const name of names) {
    if (name === undefined) continue;
    const command = `galley write draft apply ${await numberOf(project, name)}`;
    say(`${word('draft.kept', { draft: name, command })}\n`);
  }
}

const decisions: readonly (readonly [RegExp, Decision])[] = [
  [/^(?:a|apply|应用|用)$/iu, 'apply'],
  [/^(?:e|edit|修改|改)$/iu, 'edit'],
  [/^(?:n|another|再写|再来)$/iu, 'another'],
  [/^(?:d|discard|放弃)$/iu, 'discard'],
  [/^$/u, 'keep'],
];

async function decide(): Promise<Decision> {
  for (;;) {
    const answer = await askLine(word('run.decide'));
    const found = decisions.find(([words]) => words.test(answer))?.[1];
    if (found !== undefined) return found;
  }
}

/** The file of the draft in the editor one has chosen: what is saved there lasts, whatever happens here. */
function edit(project: WriteProject, draft: string): void {
  const file = join(project.folder, '.galley', 'drafts', `${draft}.md`);
  const editor = process.env.VISUAL || process.env.EDITOR || 'vi';
  const { status } = spawnSync(`${editor} "${file}"`, { stdio: 'inherit', shell: true });
  if (status !== 0) say(`${colours.yellow('!')} ${word('run.editor')}\n`);
}

/** Shows drafts as they come; a later draft stands below the one it replaces. */
function liveText(isWatched: boolean) {
  if (!isWatched) return { listeners: {}, shows: () => false, end: () => undefined };
  let shown = '';
  const end = () => {
    if (shown !== '' && !shown.endsWith('\n')) print('\n');
  };
  const listeners = {
    onText: (text: string) => {
      shown += text;
      print(text);
    },
    onProgress: ({ stage, done }: { stage: string; done: number }) => {
      if (stage !== 'draft' || done === 1) return;
      end();
      shown = '';
      say(colours.yellow(`↻ ${word('write.again', { n: done })}\n`));
    },
  };
  return { listeners, shows: (text: string) => shown === text, end };
}

async function tell(project: WriteProject, written: WrittenText, options: WriteRunOptions): Promise<void> {
  const { findings, receipt, runs, warnings } = written;
  if (findings.length > 0) {
    const { constraints } = await project.call('constraints:list');
    say(judgeReport(written.text, written, constraints));
  }
  // Whoever reads the text from a pipe did not see the drafts before it.
  if (written.drafts > 1) say(colours.yellow(`↻ ${word('write.again', { n: written.drafts })}\n`));
  const usage = runs.at(-1)?.reported;
  const cached = usage?.cachedInputTokens;
  const read = usage === undefined ? '' : word('write.billed', { n: grouped(usage.inputTokens) });
  const kept = cached === undefined ? '' : word('agent.cached', { n: grouped(cached) });
  const sent = word('write.sent', {
    used: colours.bold(grouped(written.tokens)),
    total: grouped(written.budget),
    model: written.model,
  });
  say(`\n${sent}${read}${kept}\n`);
  if (options.explain) say(`\n${explainReceipt(receipt)}`);
  else sayWarnings(warnings);
}
