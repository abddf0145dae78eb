// galley agent sessions: which sessions of agent CLIs there are here. galley agent inspect: what is in the head of one, as a table.
import type { AgentCliName } from '../../../models/cli/agent-cli.js';
import { agentClis } from '../../../models/cli/find-agent-cli.js';
import type { AnswerOf } from '../../../operations/table.js';
import { runOperation } from '../shell/local-context.js';
import { wholeNumber } from '../shell/read-input.js';
import { colours } from '../terminal/colours.js';
import { grouped, terminalWidth, textTable } from '../terminal/table.js';
import { percent, print, printJson, say } from '../terminal/talk.js';
import { wrapped } from '../terminal/text-width.js';
import { counted, word } from '../words/word.js';

type Inspection = AnswerOf<'agents:inspect'>;

/** Lines longer than that are harder to read. */
const widest = 80;

interface SessionsFlags {
  readonly all?: boolean;
  readonly agent?: string;
  readonly limit?: string;
  readonly json?: boolean;
}

export async function sessionsCommand({ all, agent, limit, json }: SessionsFlags): Promise<void> {
  const answer = await runOperation('agents:sessions:list', {
    everywhere: all === true,
    ...(agent === undefined ? {} : { cli: agent }),
    ...(limit === undefined ? {} : { limit: wholeNumber(limit, '--limit', 1) }),
  });
  if (json) return printJson(answer);
  const { sessions, total } = answer;
  if (sessions.length === 0) return print(`${word(all ? 'sessions.none' : 'sessions.none-here')}\n`);
  const columns = [
    { title: word('sessions.col.when') },
    { title: word('sessions.col.size'), align: 'right' as const },
    { title: word('sessions.col.name'), shrink: true },
  ];
  const rows = sessions.map(({ cli, id, changedAt, bytes }) => [
    minuteOf(changedAt),
    `${grouped(Math.ceil(bytes / 1000))} kB`,
    `${cli}:${id}`,
  ]);
  print(textTable(columns, rows, { width: terminalWidth() }));
  if (total > sessions.length) say(`${word('sessions.more', { n: total - sessions.length })}\n`);
}

export async function inspectCommand(
  session: string | undefined,
  { json, open, exact }: { readonly json?: boolean; readonly open?: boolean; readonly exact?: boolean },
): Promise<void> {
  // Before a page is opened on it: a session that is not there is refused here.
  if (exact) say(`${word('inspect.asks-provider')}\n`);
  const inspection = await runOperation('agents:inspect', {
    ...(session === undefined ? {} : { session }),
    ...(exact ? { exact } : {}),
  });
  if (json) return printJson(inspection);
  if (open) {
    const { openCommand } = await import('../serve/open-command.js');
    return openCommand(undefined, {}, `agents/session${session === undefined ? '' : `?id=${session}`}`);
  }
  print(inspectionPage(inspection, Math.min(terminalWidth(), widest)));
}

const minuteOf = (time: number) => new Date(time).toISOString().slice(0, 16).replace('T', ' ');

/** All that is known, as tables no wider than asked for. */
export function inspectionPage(inspection: Inspection, width: number): string {
  const tables = [
    sharesTable(inspection.parts, width),
    heaviestTable(inspection, width),
    compactionTable(inspection, width),
    breakTable(inspection, width),
    costTable(inspection, width),
  ].filter((table) => table !== '');
  const notes = noteLines(inspection).map((note) => `${wrapped(note, width)}\n`);
  return [heading(inspection, width), ...tables, ...(notes.length === 0 ? [] : [notes.join('')])].join('\n');
}

function heading(inspection: Inspection, width: number): string {
  const { cli, id, folder = '.', model = '', tokens, windowTokens, requests, dollars } = inspection;
  const title = agentClis[cli as AgentCliName].title;
  const place = folder === '.' ? word('inspect.here') : folder;
  const filled =
    tokens === undefined
      ? word('inspect.unknown')
      : windowTokens === undefined
        ? word('inspect.head', { n: grouped(tokens) })
        : word('inspect.head-of', { n: grouped(tokens), of: grouped(windowTokens) });
  const cached = requests.inputTokens === 0 ? 0 : requests.cachedInputTokens / requests.inputTokens;
  const used = word('inspect.requests', {
    requests: counted(requests.count, 'request'),
    cached: percent(cached),
  });
  const cost = dollars === undefined ? '' : word('inspect.cost', { cost: `$${dollarsOf(dollars)}` });
  const first = [title, id.slice(0, 8), place, model].filter((part) => part !== '').join(' · ');
  return `${colours.bold(wrapped(first, width))}\n${wrapped(`${filled}${word('inspect.semicolon')}${used}${cost}`, width)}\n`;
}

const right = 'right' as const;

export function sharesTable(shares: Inspection['parts'], width: number): string {
  const columns = [
    { title: word('inspect.col.fills'), shrink: true },
    { title: word('inspect.col.tokens'), align: right },
    { title: word('inspect.col.items'), align: right },
  ];
  const rows = shares.flatMap(({ kind, tokens, items, of = {} }) => [
    [word(`inspect.kind.${kind}`), grouped(tokens), items === 0 ? '' : grouped(items)],
    ...Object.entries(of).map(([part, n]) => [`  ${partWords(part)}`, grouped(n), '']),
  ]);
  return rows.length === 0 ? '' : indentedTable(columns, rows, width);
}

/** The first column keeps its own indent, which a cell would lose. */
function indentedTable(columns: Parameters<typeof textTable>[0], rows: string[][], width: number): string {
  const marked = rows.map(([first = '', ...rest]) => [first.replace(/^ {2}/, '– '), ...rest]);
  return textTable(columns, marked, { width });
}

export const partWords = (part: string) =>
  word(`inspect.part.${part as Inspection['heaviest'][number]['part']}`);

interface NamedItem {
  readonly part: string;
  readonly tool?: string | undefined;
  readonly target?: string | undefined;
}

function itemWords({ part, tool, target }: NamedItem): string {
  const name = part === 'before-messages' ? word('inspect.before') : partWords(part);
  return [name, tool, target].filter((text) => text !== undefined && text !== '').join(' ');
}

export function heaviestTable({ heaviest }: Pick<Inspection, 'heaviest'>, width: number): string {
  if (heaviest.length === 0) return '';
  const columns = [
    { title: word('inspect.col.heaviest'), shrink: true },
    { title: word('inspect.col.tokens'), align: right },
    { title: word('inspect.col.times'), align: right },
  ];
  const rows = heaviest.map((item) => [itemWords(item), grouped(item.tokens), grouped(item.times)]);
  return textTable(columns, rows, { width });
}

function compactionTable({ compactions }: Inspection, width: number): string {
  if (compactions.length === 0) return '';
  const columns = [
    { title: word('inspect.col.compacted') },
    { title: word('inspect.col.by'), shrink: true },
    { title: word('inspect.col.before'), align: right },
    { title: word('inspect.col.after'), align: right },
  ];
  const amount = (tokens: number | undefined) => (tokens === undefined ? '' : grouped(tokens));
  const rows = compactions
    .slice(-shown)
    .map(({ at, by, tokensBefore, tokensAfter }) => [
      at === undefined ? '' : minuteOf(at),
      word(`inspect.by.${by}`),
      amount(tokensBefore),
      amount(tokensAfter),
    ]);
  return textTable(columns, rows, { width });
}

/** The newest of a list; JSON has more. */
const shown = 10;

function breakTable({ cacheBreaks: breaks }: Inspection, width: number): string {
  if (breaks.length === 0) return '';
  const columns = [
    { title: word('inspect.col.broke') },
    { title: word('inspect.col.cause') },
    { title: word('inspect.col.read'), align: right },
    { title: word('inspect.col.kept'), align: right },
    { title: word('inspect.col.from'), shrink: true },
  ];
  const rows = breaks
    .slice(-shown)
    .map(({ request, at, cause, cachedTokens, keptTokens, block }) => [
      `${at === undefined ? '' : `${minuteOf(at).slice(5)} `}#${request}`,
      word(`inspect.cause.${cause}`),
      grouped(cachedTokens),
      grouped(keptTokens),
      block === undefined ? '' : itemWords(block),
    ]);
  return textTable(columns, rows, { width });
}

export function costTable({ costs }: Pick<Inspection, 'costs'>, width: number): string {
  if (costs.length === 0) return '';
  const columns = [
    { title: word('inspect.col.model'), shrink: true },
    { title: word('inspect.col.requests'), align: right },
    { title: word('inspect.col.input'), align: right },
    { title: word('inspect.col.cached'), align: right },
    { title: word('inspect.col.output'), align: right },
    { title: '$', align: right },
  ];
  const rows = costs.map(({ model, requests, inputTokens, cachedInputTokens, outputTokens, dollars }) => [
    model,
    ...[requests, inputTokens, cachedInputTokens, outputTokens].map(grouped),
    dollars === undefined ? '?' : dollarsOf(dollars),
  ]);
  return textTable(columns, rows, { width });
}

export const dollarsOf = (dollars: number) => (dollars >= 0.1 ? dollars.toFixed(2) : dollars.toFixed(4));

function noteLines(inspection: Inspection): string[] {
  const { exact, meter, scaled, parts, longWindowTokens, unsentTokens, memoryOnDisk, lines } = inspection;
  const isMissing = parts.some(({ kind, tokens }) => kind === 'not-in-file' && tokens > 0);
  return [
    ...(longWindowTokens === undefined
      ? []
      : [word('inspect.note.long-window', { n: grouped(longWindowTokens) })]),
    ...(isMissing ? [word('inspect.note.not-in-file')] : []),
    ...(memoryOnDisk ? [word('inspect.note.memory')] : []),
    ...(meter === 'claude' ? [word('inspect.note.exact')] : []),
    ...(exact
      ? []
      : [word(scaled === undefined ? 'inspect.note.estimate' : 'inspect.note.scaled', { meter })]),
    ...(unsentTokens === undefined ? [] : [word('inspect.note.unsent', { n: grouped(unsentTokens) })]),
    ...(lines.unknown === 0 ? [] : [word('inspect.note.unknown', { lines: counted(lines.unknown, 'line') })]),
    ...(lines.unreadable === 0
      ? []
      : [word('inspect.note.unreadable', { lines: counted(lines.unreadable, 'line') })]),
  ];
}
