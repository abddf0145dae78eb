// What was seen of an agent CLI, as tables: what fills its last request, what broke the cache and where, what was dropped, what it
// cost. Names of tools and files are told, never any text.
import type { SettledRequest, WatchedConversation, WatchReport } from '../../../agents/watch/watch-record.js';
import type { WatchedBreak } from '../../../agents/watch/watched-break.js';
import { colours } from '../terminal/colours.js';
import { grouped, textTable } from '../terminal/table.js';
import { percent } from '../terminal/talk.js';
import { wrapped } from '../terminal/text-width.js';
import { counted, word } from '../words/word.js';
import { costTable, dollarsOf, heaviestTable, partWords, sharesTable } from './inspect-command.js';

const right = 'right' as const;
/** The newest of a list; JSON has more. */
const shown = 10;

interface PageOptions {
  readonly title: string;
  readonly width: number;
}

export function watchPage(report: WatchReport, { title, width }: PageOptions): string {
  const heaviest = [...report.conversations].sort((left, right) => right.tokens - left.tokens)[0];
  const tables = [
    ...(heaviest === undefined
      ? []
      : [
          conversationLine(heaviest, width) + sharesTable(heaviest.shares, width),
          heaviestTable(heaviest, width),
        ]),
    requestTable(report, width),
    breakTable(report.breaks, width),
    droppedTable(report.breaks, width),
    costTable(report, width),
  ].filter((table) => table !== '');
  const notes = noteLines(report).map((note) => `${wrapped(note, width)}\n`);
  return ['', heading(report, title, width), ...tables, ...(notes.length === 0 ? [] : [notes.join('')])].join(
    '\n',
  );
}

/** One request, as it passes. */
export function requestLine(request: SettledRequest): string {
  const { number, model, tokens, usage, broke, status } = request;
  const cached = usage === undefined ? '?' : grouped(usage.cachedInputTokens ?? 0);
  const parts = [
    word('watch.line', { number, model, tokens: grouped(usage?.inputTokens ?? tokens), cached }),
    ...(status === undefined || status < 400 ? [] : [String(status)]),
    ...(broke === undefined ? [] : [`${word(`watch.cause.${broke.cause}`)} ${placeWords(broke)}`.trimEnd()]),
  ];
  return `${colours.dim(parts.join(' · '))}\n`;
}

function heading({ requests, conversations, costs }: WatchReport, title: string, width: number): string {
  const total = (field: 'inputTokens' | 'cachedInputTokens') =>
    costs.reduce((sum, cost) => sum + cost[field], 0);
  const input = total('inputTokens');
  const cached = percent(input === 0 ? 0 : total('cachedInputTokens') / input);
  const priced = costs.flatMap(({ dollars }) => dollars ?? []);
  const cost =
    priced.length === 0
      ? ''
      : `${word('inspect.semicolon')}$${dollarsOf(priced.reduce((sum, one) => sum + one, 0))}`;
  const said =
    requests === 0
      ? word('watch.none')
      : word('watch.seen', { n: requests, conversations: conversations.length, cached });
  return `${colours.bold(title)}\n${wrapped(`${said}${requests === 0 ? '' : cost}`, width)}\n`;
}

function conversationLine(
  { number, model, tokens, windowTokens }: WatchedConversation,
  width: number,
): string {
  const filled =
    windowTokens === undefined
      ? word('inspect.head', { n: grouped(tokens) })
      : word('inspect.head-of', { n: grouped(tokens), of: grouped(windowTokens) });
  return `${wrapped(word('watch.conversation', { number, model, filled }), width)}\n`;
}

const kinds = ['system', 'tools', 'memory', 'messages', 'results'] as const;

function requestTable({ newest }: WatchReport, width: number): string {
  if (newest.length === 0) return '';
  const columns = [
    { title: word('watch.col.request') },
    ...kinds.map((kind) => ({ title: word(`watch.col.${kind}`), align: right })),
    { title: word('inspect.col.cached'), align: right },
    { title: word('watch.col.status'), align: right },
  ];
  const rows = newest
    .slice(-shown)
    .map(({ number, conversation, shares, usage, status, ending }) => [
      `#${number} (${conversation})`,
      ...kinds.map((kind) => grouped(shares.find((share) => share.kind === kind)?.tokens ?? 0)),
      usage === undefined ? '?' : grouped(usage.cachedInputTokens ?? 0),
      ending === 'whole' ? String(status ?? '') : word(`watch.ending.${ending}`),
    ]);
  return textTable(columns, rows, { width });
}

function placeWords({ block }: Pick<WatchedBreak, 'block'>): string {
  if (block === undefined) return '';
  const { section, number, tool, target, change, path } = block;
  const name = section === 'settings' ? '' : word(`watch.section.${section}`, { number });
  const what = [name, tool, target].filter((text) => text !== undefined && text !== '').join(' ');
  const how = change === 'changed' ? '' : ` ${word(`watch.change.${change}`)}`;
  return [`${what}${how}`.trim(), path].filter((text) => text !== '').join(': ');
}

function breakTable(breaks: readonly WatchedBreak[], width: number): string {
  if (breaks.length === 0) return '';
  const columns = [
    { title: word('watch.col.broke') },
    { title: word('inspect.col.cause') },
    { title: word('watch.col.same'), align: right },
    { title: word('watch.col.again'), align: right },
    { title: word('watch.col.place'), shrink: true },
  ];
  const rows = breaks
    .slice(-shown)
    .map((broke) => [
      `#${broke.request}`,
      word(`watch.cause.${broke.cause}`),
      grouped(broke.sameTokens),
      grouped(broke.againTokens),
      placeWords(broke),
    ]);
  return textTable(columns, rows, { width });
}

function droppedTable(breaks: readonly WatchedBreak[], width: number): string {
  const found = breaks.filter(({ dropped }) => dropped !== undefined).slice(-shown);
  if (found.length === 0) return '';
  const columns = [
    { title: word('watch.col.dropped') },
    { title: word('watch.col.messages'), align: right },
    { title: word('inspect.col.tokens'), align: right },
    { title: word('watch.col.of'), shrink: true },
  ];
  const rows = found.map(({ request, dropped }) => [
    `#${request}`,
    grouped(dropped?.messages ?? 0),
    grouped(dropped?.tokens ?? 0),
    Object.entries(dropped?.of ?? {})
      .map(([part, tokens]) => `${partWords(part)} ${grouped(tokens)}`)
      .join(', '),
  ]);
  return textTable(columns, rows, { width });
}

function noteLines({ requests, others, failures, unread, meters, exact }: WatchReport): string[] {
  const listed = (list: WatchReport['others']) =>
    list.map(({ what, count }) => `${what} × ${count}`).join(', ');
  return [
    ...(others.length === 0 ? [] : [word('watch.note.others', { list: listed(others) })]),
    ...(failures.length === 0 ? [] : [word('watch.note.failures', { list: listed(failures) })]),
    ...(unread === 0 ? [] : [word('watch.note.unread', { requests: counted(unread, 'request') })]),
    ...(exact || requests === 0 ? [] : [word('watch.note.estimate', { meter: meters.join(', ') })]),
  ];
}
