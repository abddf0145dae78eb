// galley agent handoff: a session of one agent goes on in another. Without --print or --run its own CLI opens with the turn.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTheFile } from '../../../agents/handoff/handed-over.js';
import { GalleyError } from '../../../core/model/error.js';
import type { AgentCliName } from '../../../models/cli/agent-cli.js';
import { agentClis, findAgentCli } from '../../../models/cli/find-agent-cli.js';
import { call } from '../../../operations/call.js';
import type { AnswerOf } from '../../../operations/table.js';
import { makeTempFolder, removeTempFolder } from '../../../temp/temp-folder.js';
import { runSignal } from '../shell/cancellation.js';
import { localContext } from '../shell/local-context.js';
import { wholeNumber } from '../shell/read-input.js';
import { explainReceipt } from '../terminal/explain-receipt.js';
import { grouped } from '../terminal/table.js';
import { print, printJson, say } from '../terminal/talk.js';
import { counted, word } from '../words/word.js';
import { runShown } from './agent-run-command.js';

type Handoff = AnswerOf<'agents:handoff'>;

interface HandoffFlags {
  readonly from?: string;
  readonly budget?: string;
  readonly model?: string;
  readonly message?: string;
  readonly ask?: boolean;
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
  // Nothing is paid for a turn that could not be opened then.
  const isShown = flags.print === true || flags.json === true;
  if (!isShown && !flags.run) refuseWithoutTerminal();
  const handoff = await setTurn(to, flags);
  if (flags.explain) say(explainReceipt(handoff.receipt));
  if (flags.run) return runHandoff(handoff, flags);
  if (flags.json) return printJson(handoff);
  say(summary(handoff));
  if (isShown) return print(`${handoff.prompt}\n`);
  process.exitCode = await openAgent(handoff);
}

function refuseWithoutTerminal(): void {
  if (process.stdin.isTTY && process.stdout.isTTY) return;
  throw new GalleyError(
    'INVALID_ARGUMENT',
    'There is no terminal to open the agent in; --print shows the turn, --run runs it without one.',
  );
}

async function setTurn(to: AgentCliName, flags: HandoffFlags): Promise<Handoff> {
  const { from: session, budget, model, message, ask } = flags;
  const request = {
    to,
    ...(session === undefined ? {} : { session }),
    ...(budget === undefined ? {} : { budget: wholeNumber(budget, '--budget', 200) }),
    ...(model === undefined ? {} : { model }),
    ...(message === undefined ? {} : { message }),
    ...(ask === undefined ? {} : { ask }),
  };
  const context = localContext();
  try {
    if (ask) say(`galley: ${word('handoff.asks')}\n`);
    const signal = ask ? runSignal(context.signal) : context.signal;
    const handoff = (await call('agents:handoff', request, { ...context, signal })) as Handoff;
    for (const warning of handoff.warnings) say(`galley: ${warningWords(warning)}\n`);
    return handoff;
  } finally {
    await context.close();
  }
}

function warningWords({ code, message, details }: Handoff['warnings'][number]): string {
  if (code === 'NOTE_MISSING') return word('handoff.warn.NOTE_MISSING', { code: String(details?.code) });
  if (code !== 'SESSION_DAMAGED') return message;
  return word('handoff.warn.SESSION_DAMAGED', { lines: counted(Number(details?.lines), 'line') });
}

function summary({ from, to, tokens, counts, left, asked, receipt }: Handoff): string {
  const conceded = receipt.ledger.length - receipt.layers.reduce((sum, { kept }) => sum + kept, 0);
  const lines = [
    word('handoff.to', {
      from: agentClis[from.cli].title,
      to: agentClis[to].title,
      n: grouped(tokens),
    }),
    word('handoff.in', {
      requests: counted(counts.requests, 'request'),
      steps: counted(counts.steps, 'step'),
      decisions: counted(counts.decisions, 'decision'),
      files: counted(counts.files, 'file'),
      messages: counted(counts.messages, 'message'),
    }),
    ...(asked === undefined || counts.notes === 0 ? [] : [word('handoff.asked', spent(asked))]),
    word('handoff.left', {
      results: counted(left.results, 'result'),
      characters: grouped(left.characters),
      conceded: counted(conceded, 'piece'),
    }),
  ];
  return `${lines.join('\n')}\n`;
}

const spent = ({ inputTokens, outputTokens }: NonNullable<Handoff['asked']>) => ({
  in: inputTokens === undefined ? '?' : grouped(inputTokens),
  out: outputTokens === undefined ? '?' : grouped(outputTokens),
});

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
      text = readTheFile(file);
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
