// galley write skills and galley write run: list, check and add skills, see what one would send, and have it written. Text goes to
// stdout, as it is written where a person looks on; talk goes to stderr.

import type { AnswerOf } from '../../../operations/table.js';
import type { ContextRules } from '../../../skills/skill.js';
import { wholeNumber } from '../shell/read-input.js';
import { colours } from '../terminal/colours.js';
import { explainReceipt } from '../terminal/explain-receipt.js';
import { grouped, terminalWidth, textTable } from '../terminal/table.js';
import { askYes, canAsk, percent, print, printJson, say, sayWarnings } from '../terminal/talk.js';
import { factWords, word } from '../words/word.js';
import { type SkillRunFlags, skillRequest } from './chapter.js';
import { judgeReport } from './judge.js';
import { type WriteOptions, type WriteProject, withWriteProject } from './write-project.js';

type SkillAnswer = AnswerOf<'ai:skill:run'>;
type ShownSkill = Extract<SkillAnswer, { readonly dryRun: true }>;
type WrittenText = Extract<SkillAnswer, { readonly dryRun: false }>;

export async function listSkills(options: WriteOptions): Promise<void> {
  await withWriteProject(options, 'reads', async (project) => {
    const answer = await project.call('skills:list');
    if (project.json) return printJson(answer);
    print(
      textTable(
        [
          { title: word('write.col.id') },
          { title: word('write.col.name') },
          { title: word('write.col.from') },
          { title: word('write.col.tokens'), align: 'right' },
          { title: word('write.col.asks'), shrink: true },
        ],
        answer.skills.map(({ id, name, origin, budgetTokens, contextRules }) => [
          id,
          name,
          factWords(`origin.${origin}`, origin),
          budgetTokens === undefined ? word('write.window') : grouped(budgetTokens),
          asksFor(contextRules),
        ]),
        { width: terminalWidth() },
      ),
    );
    sayWarnings(answer.warnings);
  });
}

function asksFor(rules: ContextRules): string {
  const { surrounding, recent_summary: summaries, ...switches } = rules;
  const words = Object.entries(switches).flatMap(([name, on]) =>
    on ? [factWords(`rule.${name}`, name.replaceAll('_', ' '))] : [],
  );
  const counts = [
    ...(surrounding > 0 ? [word('write.around', { n: grouped(surrounding) })] : []),
    ...(summaries > 0 ? [word('write.summaries', { n: summaries })] : []),
  ];
  return [...counts, ...words].join(word('list.comma')) || word('write.text-only');
}

export async function takeSkill(path: string, how: 'lint' | 'put', options: WriteOptions): Promise<void> {
  await withWriteProject(options, how === 'put' ? 'writes' : 'reads', async (project) => {
    if (how === 'put') {
      sayWarnings((await project.follow())?.warnings ?? []);
      await project.carryOver();
    }
    const answer = await project.call(`skills:${how}`, { path });
    if (project.json) return printJson(answer);
    print(
      `${colours.green(word(how === 'put' ? 'write.added' : 'write.fine'))} ${answer.id} ${colours.dim(answer.name)}\n`,
    );
    for (const { field, message } of answer.issues) print(`  ${colours.dim(field)} ${message}\n`);
  });
}

export async function showSkillRun(skill: string, chapter: string, options: SkillRunFlags): Promise<void> {
  await withWriteProject(options, 'reads', async (project) => {
    sayWarnings((await project.follow())?.warnings ?? []);
    const request = await skillRequest(project, { skill, chapter }, options);
    const run = (await project.call('ai:skill:run', { ...request, dryRun: true })) as ShownSkill;
    if (project.json) return printJson(run);
    print(
      `${colours.dim(word('write.system'))}\n${run.systemPrompt}\n${colours.dim(word('write.user'))}\n${run.userContent}\n`,
    );
    const { saving } = run;
    const used = word('write.of-tokens', {
      used: colours.bold(grouped(run.tokens)),
      total: grouped(run.budget),
    });
    const saved = word('write.saved', {
      n: grouped(saving.tokens),
      all: grouped(saving.everything),
      ratio: percent(saving.ratio),
    });
    say(`\n${used} · ${saved}\n`);
    if (options.explain) say(`\n${explainReceipt(run.receipt)}`);
    else sayWarnings(run.warnings);
  });
}

interface WriteRunOptions extends SkillRunFlags {
  readonly judgeModel?: string;
  readonly rewrites: string;
  readonly timeout: string;
  readonly accept?: boolean;
  readonly dryRun?: boolean;
}

export async function runSkillCommand(
  skill: string,
  chapter: string,
  options: WriteRunOptions,
): Promise<void> {
  if (options.dryRun) return showSkillRun(skill, chapter, options);
  await withWriteProject(options, 'writes', async (project) => {
    sayWarnings((await project.follow())?.warnings ?? []);
    const request = {
      ...(await skillRequest(project, { skill, chapter }, options)),
      rewrites: wholeNumber(options.rewrites, '--rewrites', 0),
      timeoutMs: wholeNumber(options.timeout, '--timeout', 0) * 1000,
      ...(options.judgeModel === undefined ? {} : { judgeModel: options.judgeModel }),
    };
    const screen = liveText(process.stdout.isTTY === true && !project.json);
    const asked = project.call('ai:skill:run', request, screen.listeners);
    const written = (await asked.finally(screen.end)) as WrittenText;
    if (project.json) printJson(written);
    else {
      if (!screen.shows(written.text)) print(`${written.text}\n`);
      await tell(project, written, options);
    }
    if (written.runId === undefined || !(await isAccepted(project, options))) return;
    await project.call('ai:skill:accept', { runId: written.runId, text: written.text });
    if (!project.json) say(`${colours.green('✓')} ${word('write.remembered')}\n`);
  });
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
    onProgress: ({ done }: { done: number }) => {
      if (done === 1) return;
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

async function isAccepted(project: WriteProject, { accept }: WriteRunOptions): Promise<boolean> {
  if (accept) return true;
  return !project.json && canAsk() && askYes(word('write.remember'));
}
