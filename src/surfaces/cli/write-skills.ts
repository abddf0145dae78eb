// galley write skills: list, check and add skills, and see what one would send.

import type { ContextRules } from '../../skills/context-rules.js';
import type { SkillIssue } from '../../skills/lint-skill.js';
import type { AssembledSkill } from '../../writing/skill-run/assemble-skill.js';
import { colours } from './colours.js';
import { explainReceipt } from './explain-receipt.js';
import { type SkillRunOptions, skillRequest } from './skill-request.js';
import { terminalWidth, textTable } from './table.js';
import { findChapter } from './write-chapter.js';
import {
  atDesk,
  number,
  percent,
  print,
  printJson,
  say,
  sayWarnings,
  type WriteOptions,
} from './write-desk.js';

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
          { title: 'Id' },
          { title: 'Name' },
          { title: 'From' },
          { title: 'Tokens', align: 'right' },
          { title: 'Asks for', shrink: true },
        ],
        answer.skills.map(({ id, name, origin, budgetTokens, contextRules }) => [
          id,
          name,
          origin,
          budgetTokens === undefined ? 'window' : number(budgetTokens),
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
  const words = Object.entries(switches).flatMap(([name, on]) => (on ? [name.replaceAll('_', ' ')] : []));
  const counts = [
    ...(surrounding > 0 ? [`${number(surrounding)} characters around`] : []),
    ...(summaries > 0 ? [`${summaries} summaries`] : []),
  ];
  return [...counts, ...words].join(', ') || 'its text only';
}

export async function takeSkill(path: string, how: 'lint' | 'put', options: WriteOptions): Promise<void> {
  await atDesk(options, how === 'put' ? 'writes' : 'reads', async (desk) => {
    const answer = await desk.call<SkillEntry>(`skills:${how}`, { path });
    if (desk.json) return printJson(answer);
    print(`${colours.green(how === 'put' ? 'added' : 'fine')} ${answer.id} ${colours.dim(answer.name)}\n`);
    for (const { field, message } of answer.issues ?? []) print(`  ${colours.dim(field)} ${message}\n`);
  });
}

export async function showSkillRun(skill: string, chapter: string, options: SkillRunOptions): Promise<void> {
  await atDesk(options, 'reads', async (desk) => {
    sayWarnings((await desk.follow())?.warnings ?? []);
    const { documentId } = await findChapter(desk, chapter);
    const request = skillRequest(skill, documentId, options);
    const run = await desk.call<AssembledSkill>('ai:skill:run', { ...request, dryRun: true });
    if (desk.json) return printJson(run);
    print(
      `${colours.dim('── system')}\n${run.systemPrompt}\n${colours.dim('── user')}\n${run.userContent}\n`,
    );
    const { saving } = run;
    say(
      `\n${colours.bold(number(run.tokens))} of ${number(run.budget)} tokens · ${number(saving.tokens)} saved of ${number(saving.everything)} (${percent(saving.ratio)})\n`,
    );
    if (options.explain) say(`\n${explainReceipt(run.receipt)}`);
    else sayWarnings(run.warnings);
  });
}
