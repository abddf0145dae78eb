// galley write skills: list, check and add skills, and see what one would send.

import type { SkillIssue } from '../../skills/lint-skill.js';
import type { ContextRules } from '../../skills/skill.js';
import type { AssembledSkill } from '../../writing/skill-run/assemble-skill.js';
import { colours } from './colours.js';
import { explainReceipt } from './explain-receipt.js';
import { grouped } from './grouped-number.js';
import { type SkillRunOptions, skillRequest } from './skill-request.js';
import { terminalWidth, textTable } from './table.js';
import { factWords, word } from './words/word.js';
import { atDesk, percent, print, printJson, say, sayWarnings, type WriteOptions } from './write-desk.js';

interface SkillEntry {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly origin: string;
  readonly budgetTokens?: number;
  readonly contextRules: ContextRules;
  readonly issues?: readonly SkillIssue[];
}

export async function writeSkills(options: WriteOptions): Promise<void> {
  await atDesk(options, 'reads', async (desk) => {
    const answer = await desk.call<{
      skills: readonly SkillEntry[];
      warnings: readonly { message: string }[];
    }>('skills:list');
    if (desk.json) return printJson(answer);
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
  await atDesk(options, how === 'put' ? 'writes' : 'reads', async (desk) => {
    const answer = await desk.call<SkillEntry>(`skills:${how}`, { path });
    if (desk.json) return printJson(answer);
    print(
      `${colours.green(word(how === 'put' ? 'write.added' : 'write.fine'))} ${answer.id} ${colours.dim(answer.name)}\n`,
    );
    for (const { field, message } of answer.issues ?? []) print(`  ${colours.dim(field)} ${message}\n`);
  });
}

export async function showSkillRun(skill: string, chapter: string, options: SkillRunOptions): Promise<void> {
  await atDesk(options, 'reads', async (desk) => {
    sayWarnings((await desk.follow())?.warnings ?? []);
    const request = await skillRequest(desk, { skill, chapter }, options);
    const run = await desk.call<AssembledSkill>('ai:skill:run', { ...request, dryRun: true });
    if (desk.json) return printJson(run);
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
