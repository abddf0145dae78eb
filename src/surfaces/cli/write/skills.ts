// galley write skills: list, check and add skills, and see what one would send. Text goes to stdout, talk to stderr.

import type { AnswerOf } from '../../../operations/table.js';
import type { ContextRules } from '../../../skills/skill.js';
import { colours } from '../terminal/colours.js';
import { explainReceipt } from '../terminal/explain-receipt.js';
import { grouped, terminalWidth, textTable } from '../terminal/table.js';
import { percent, print, printJson, say, sayWarnings } from '../terminal/talk.js';
import { factWords, word } from '../words/word.js';
import { type SkillRunFlags, skillRequest } from './chapter.js';
import { type WriteOptions, withWriteProject } from './write-project.js';

type ShownSkill = Extract<AnswerOf<'ai:skill:run'>, { readonly dryRun: true }>;

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
          origin === 'built-in' ? factWords(`skill.${id}`, name) : name,
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
