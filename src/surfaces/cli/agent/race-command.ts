// galley race and galley take: several agents at one task, one table on stdout, and the work of one of them taken over. What the agents
// do meanwhile goes to stderr, each line with its name.

import { GalleyError } from '../../../core/model/error.js';
import { call } from '../../../operations/call.js';
import type { AnswerOf } from '../../../operations/table.js';
import { exportedStore } from '../../shared-store.js';
import { dollarsOf } from '../review/review-request.js';
import { cancelledExit, runSignal } from '../shell/cancellation.js';
import { localContext, projectHere, runOperation } from '../shell/local-context.js';
import { wholeNumber } from '../shell/read-input.js';
import { grouped, terminalWidth, textTable } from '../terminal/table.js';
import { printJson, say } from '../terminal/talk.js';
import { counted, word } from '../words/word.js';
import { eventLines } from './event-lines.js';

interface RaceOptions {
  readonly agents?: string;
  readonly may?: string;
  readonly setup?: string;
  readonly check?: string;
  readonly timeout?: string;
  readonly checkTimeout?: string;
  readonly reviewModel?: string;
  readonly budgetUsd?: string;
  readonly race?: string;
  readonly discard?: boolean;
  readonly json?: boolean;
}

type Race = AnswerOf<'agents:race:get'>;
type Entry = Race['entries'][number];

/** No agent did what was asked for. */
const nobodyExit = 1;

export async function raceCommand(task: string | undefined, options: RaceOptions): Promise<void> {
  const which = options.race === undefined ? {} : { race: options.race };
  if (options.discard) {
    const answer = await runOperation('agents:race:discard', which);
    if (options.json) return printJson(answer);
    const list = answer.discarded.join(word('list.comma'));
    process.stdout.write(`${list === '' ? word('race.none-kept') : word('race.discarded', { list })}\n`);
    return;
  }
  refuseHalf(task, options);
  const race =
    task === undefined ? await runOperation('agents:race:get', which) : await runShownRace(task, options);
  if (options.json) printJson(task === undefined ? race : { kind: 'race', ...race });
  else showRace(race);
  if (task === undefined) return;
  if (race.entries.some(({ ended }) => ended === 'cancelled')) process.exitCode = cancelledExit();
  else if (!race.entries.some(isGood)) process.exitCode = nobodyExit;
}

/** Without a task the last race is shown, which no order belongs to; without agents nobody would run. */
function refuseHalf(task: string | undefined, options: RaceOptions): void {
  const { agents, setup, check, reviewModel, budgetUsd } = options;
  const isOrder = [agents, setup, check, reviewModel, budgetUsd].some((given) => given !== undefined);
  if (task === undefined && isOrder)
    throw new GalleyError('INVALID_ARGUMENT', 'There is no task; give it in quotes: galley race "…".', {
      details: { field: 'task' },
    });
  if (task !== undefined && (agents ?? '').trim() === '')
    throw new GalleyError('INVALID_ARGUMENT', 'Name who takes part: --agents claude,codex.', {
      details: { field: 'agents' },
    });
}

async function runShownRace(task: string, options: RaceOptions): Promise<Race> {
  const { agents = '', may, setup, check, reviewModel, json } = options;
  const seconds = (text: string | undefined, flag: string) =>
    text === undefined ? undefined : wholeNumber(text, flag, 0) * 1000;
  const context = localContext();
  try {
    const projectId = await projectHere(context.store, context.folder, {
      isInside: exportedStore() === undefined,
    });
    const given = {
      ...{ task, may, setup, check, reviewModel, projectId },
      agents: agents.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()])),
      timeoutMs: seconds(options.timeout, '--timeout'),
      checkTimeoutMs: seconds(options.checkTimeout, '--check-timeout'),
      budgetUsd: options.budgetUsd === undefined ? undefined : dollarsOf(options.budgetUsd, '--budget-usd'),
    };
    const request = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    return (await call('agents:race:run', request, {
      ...context,
      signal: runSignal(context.signal),
      onEvent: (event) => {
        if (json) return printJson(event);
        for (const line of eventLines(event, { isWatched: false })) say(`${event.agent}: ${line}\n`);
      },
    })) as Race;
  } finally {
    await context.close();
  }
}

const isGood = ({ ended, check, files }: Entry) =>
  (ended === 'answered' || ended === 'refused') && check?.passed !== false && files.length > 0;

function showRace({ entries, left, taken, race }: Race): void {
  const columns = (
    ['agent', 'ended', 'check', 'files', 'lines', 'tokens', 'dollars', 'findings'] as const
  ).map(
    (name) => ({ title: word(`race.col.${name}`), align: numeric.has(name) ? 'right' : 'left' }) as const,
  );
  process.stdout.write(textTable(columns, entries.map(rowOf), { width: terminalWidth() }));
  for (const { agent, setup, check } of entries)
    for (const command of [setup, check]) if (command?.passed === false) sayTail(agent, command.tail);
  const listed = (names: readonly string[]) => names.join(word('list.comma'));
  const tell = (text: string) => say(`galley: ${text}\n`);
  if (left.length > 0) tell(word('race.left', { list: listed(left) }));
  for (const { agent, left: made = [], submodules = [] } of entries) {
    if (made.length > 0) tell(word('race.too-large', { agent, list: listed(made) }));
    if (submodules.length > 0) tell(word('race.submodules', { agent, list: listed(submodules) }));
  }
  const good = entries.find(isGood);
  const unchecked = entries.filter(({ ended, files }) => ended === 'cancelled' && files.length > 0);
  if (taken.length > 0) tell(word('race.taken', { list: listed(taken) }));
  else if (good !== undefined) tell(word('race.next', { agent: good.agent, race }));
  else if (unchecked.length > 0)
    tell(word('race.unchecked', { list: listed(unchecked.map(({ agent }) => agent)) }));
}

const numeric: ReadonlySet<string> = new Set(['files', 'lines', 'tokens', 'dollars', 'findings']);
const shownLines = 8;

function sayTail(agent: string, tail: string): void {
  if (tail.trim() === '') return;
  const lines = tail.trimEnd().split('\n').slice(-shownLines);
  say(`galley: ${word('race.tail', { agent })}\n${lines.map((line) => `    ${line}\n`).join('')}`);
}

function rowOf(entry: Entry): string[] {
  const { agent, ended, code, setup, check, files, usage, dollars } = entry;
  const sum = (of: 'added' | 'removed') => files.reduce((all, file) => all + file[of], 0);
  const state = setup?.passed === false ? word('race.is.not-ready') : word(`race.is.${ended}`);
  const outcome = check?.timedOut ? 'late' : check?.passed ? 'passed' : 'failed';
  return [
    agent,
    endOf(state, code),
    check === undefined ? '–' : word(`race.check.${outcome}`),
    String(files.length),
    `+${sum('added')} −${sum('removed')}`,
    usage === undefined ? '–' : grouped(usage.inputTokens + usage.outputTokens),
    dollars === undefined ? '–' : dollars.toFixed(4),
    findingsOf(entry),
  ];
}

function endOf(state: string, code: string | undefined): string {
  if (code === 'COST_CEILING_REACHED') return word('race.is.at-ceiling');
  return code === undefined ? state : `${state} (${code})`;
}

/** A review that failed is not one that nobody asked for. */
function findingsOf({ findings, reviewCode }: Entry): string {
  if (reviewCode !== undefined) return `${word('race.is.failed')} (${reviewCode})`;
  return findings === undefined ? '–' : String(findings);
}

export async function takeCommand(
  agent: string,
  { race, json }: { readonly race?: string; readonly json?: boolean },
): Promise<void> {
  const request = { agent, ...(race === undefined ? {} : { race }) };
  const taken = await runOperation('agents:race:take', request);
  if (json) return printJson(taken);
  const lines = [
    word('take.did', { agent, files: counted(taken.files.length, 'file') }),
    ...taken.files.map((path) => `  ${taken.merged.includes(path) ? word('take.merged', { path }) : path}`),
    word(taken.turn === undefined ? 'take.no-undo' : 'take.undo'),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
