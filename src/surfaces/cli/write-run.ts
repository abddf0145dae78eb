// galley write run: a skill from prompt to text. The text goes to stdout, as it is written where a person looks on; talk goes to
// stderr.
import type { WrittenText } from '../../operations/answers/skill-run.js';
import type { Constraint } from '../../store/tables/constraints.js';
import { askYes, canAsk } from './ask-yes.js';
import { colours } from './colours.js';
import { explainReceipt } from './explain-receipt.js';
import { grouped } from './grouped-number.js';
import { type SkillRunOptions, skillRequest } from './skill-request.js';
import { wholeNumber } from './whole-number.js';
import { word } from './words/word.js';
import { atDesk, print, printJson, say, sayWarnings, type WriteDesk } from './write-desk.js';
import { judgeReport } from './write-judge.js';
import { showSkillRun } from './write-skills.js';

export interface WriteRunOptions extends SkillRunOptions {
  readonly judgeModel?: string;
  readonly rewrites: string;
  readonly timeout: string;
  readonly accept?: boolean;
  readonly dryRun?: boolean;
}

export async function writeRun(skill: string, chapter: string, options: WriteRunOptions): Promise<void> {
  if (options.dryRun) return showSkillRun(skill, chapter, options);
  await atDesk(options, 'writes', async (desk) => {
    sayWarnings((await desk.follow())?.warnings ?? []);
    const request = {
      ...(await skillRequest(desk, { skill, chapter }, options)),
      rewrites: wholeNumber(options.rewrites, '--rewrites', 0),
      timeoutMs: wholeNumber(options.timeout, '--timeout', 0) * 1000,
      ...(options.judgeModel === undefined ? {} : { judgeModel: options.judgeModel }),
    };
    const screen = liveText(process.stdout.isTTY === true && !desk.json);
    const written = await desk
      .call<WrittenText>('ai:skill:run', request, screen.listeners)
      .finally(screen.end);
    if (desk.json) printJson(written);
    else {
      if (!screen.shows(written.text)) print(`${written.text}\n`);
      await tell(desk, written, options);
    }
    if (written.runId === undefined || !(await isAccepted(desk, options))) return;
    await desk.call('ai:skill:accept', { runId: written.runId, text: written.text });
    if (!desk.json) say(`${colours.green('✓')} ${word('write.remembered')}\n`);
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

async function tell(desk: WriteDesk, written: WrittenText, options: WriteRunOptions): Promise<void> {
  const { findings, receipt, runs, warnings } = written;
  if (findings.length > 0) {
    const { constraints } = await desk.call<{ constraints: readonly Constraint[] }>('constraints:list');
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

async function isAccepted(desk: WriteDesk, { accept }: WriteRunOptions): Promise<boolean> {
  if (accept) return true;
  return !desk.json && canAsk() && askYes(word('write.remember'));
}
