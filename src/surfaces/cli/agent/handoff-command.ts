// galley agent handoff: a session of one agent goes on in another. Without --print or --run its own CLI opens with the turn.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GalleyError } from '../../../core/model/error.js';
import type { AgentCliName } from '../../../models/cli/agent-cli.js';
import { agentClis, findAgentCli } from '../../../models/cli/find-agent-cli.js';
import type { AnswerOf } from '../../../operations/table.js';
import { makeTempFolder, removeTempFolder } from '../../../temp/temp-folder.js';
import { runOperation } from '../shell/local-context.js';
import { wholeNumber } from '../shell/read-input.js';
import { explainReceipt } from '../terminal/explain-receipt.js';
import { grouped } from '../terminal/table.js';
import { print, printJson, say } from '../terminal/talk.js';
import { word } from '../words/word.js';
import { runShown } from './agent-run-command.js';

type Handoff = AnswerOf<'agents:handoff'>;

interface HandoffFlags {
  readonly from?: string;
  readonly budget?: string;
  readonly model?: string;
  readonly message?: string;
  readonly print?: boolean;
  readonly run?: boolean;
  readonly may?: string;
  readonly explain?: boolean;
  readonly json?: boolean;
}

export async function handoffCommand(to: AgentCliName, flags: HandoffFlags): Promise<void> {
  if (flags.print && flags.run)
    throw new GalleyError('INVALID_ARGUMENT', 'Give --print or --run, not both.', {
      details: { field: '--run' },
    });
  const { from: session, budget, model, message } = flags;
  const handoff = await runOperation('agents:handoff', {
    to,
    ...(session === undefined ? {} : { session }),
    ...(budget === undefined ? {} : { budget: wholeNumber(budget, '--budget', 200) }),
    ...(model === undefined ? {} : { model }),
    ...(message === undefined ? {} : { message }),
  });
  const isShown = flags.print === true || flags.json === true;
  if (flags.explain) say(explainReceipt(handoff.receipt));
  if (flags.run) return runHandoff(handoff, flags);
  if (flags.json) return printJson(handoff);
  say(summary(handoff));
  if (isShown) return print(`${handoff.prompt}\n`);
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new GalleyError(
      'INVALID_ARGUMENT',
      'There is no terminal to open the agent in; --print shows the turn, --run runs it without one.',
    );
  process.exitCode = await openAgent(handoff);
}

function summary({ from, to, tokens, counts, left, receipt }: Handoff): string {
  const { requests, steps, decisions, files, messages } = counts;
  const conceded = receipt.ledger.length - receipt.layers.reduce((sum, { kept }) => sum + kept, 0);
  const lines = [
    word('handoff.to', {
      from: agentClis[from.cli].title,
      to: agentClis[to].title,
      n: grouped(tokens),
    }),
    word('handoff.in', { requests, steps, decisions, files, messages }),
    word('handoff.left', { results: left.results, characters: grouped(left.characters), conceded }),
  ];
  return `${lines.join('\n')}\n`;
}

async function runHandoff(handoff: Handoff, { json, model, may }: HandoffFlags): Promise<void> {
  if (!json) say(summary(handoff));
  const request = {
    ...{ agentType: handoff.to, contextMessages: [], currentMessage: handoff.prompt },
    ...(model === undefined ? {} : { model }),
    ...(may === undefined ? {} : { may }),
  };
  const shown = { ...(json === undefined ? {} : { json }), ...(may === undefined ? {} : { may }) };
  await runShown(request, { agent: handoff.to, ...shown });
}

/** Below what any system takes as one argument. */
const maxArgument = 100 * 1024;

/** Words that Claude Code and Gemini CLI would read as files; the marks of a diff are among them. */
const mention = /(?:^|[^\w])@/m;

async function openAgent({ to, prompt }: Handoff): Promise<number> {
  const command = await findAgentCli(to);
  const isByFile = Buffer.byteLength(prompt) > maxArgument || (to !== 'codex' && mention.test(prompt));
  const folder = isByFile ? makeTempFolder('agent') : undefined;
  try {
    let text = prompt;
    if (folder !== undefined) {
      const file = join(folder, 'handoff.md');
      writeFileSync(file, prompt, { mode: 0o600 });
      text = `Read the file ${file} first, all of it: it hands over to you the work that another agent began here. Then go on with it.`;
    }
    return await new Promise<number>((resolve, reject) => {
      const child = spawn(command, to === 'gemini' ? ['-i', text] : [text], { stdio: 'inherit' });
      child.on('error', () => reject(notStarted(to)));
      child.on('close', (exit) => resolve(exit ?? 130));
    });
  } finally {
    if (folder !== undefined) await removeTempFolder(folder);
  }
}

function notStarted(to: AgentCliName): GalleyError {
  return new GalleyError('MODEL_UNAVAILABLE', `${agentClis[to].title} could not be started.`, {
    details: { cli: to },
  });
}
