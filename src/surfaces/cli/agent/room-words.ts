// A room in the words of people: names, times and numbers, no ids.
import { contentText } from '../../../agents/assembler-input.js';
import type { AnswerOf } from '../../../operations/table.js';
import { colours } from '../terminal/colours.js';
import { whenWords } from '../terminal/talk.js';
import { word } from '../words/word.js';

type ShownRoom = AnswerOf<'agents:rooms:get'>['room'];
type ShownMessage = AnswerOf<'agents:rooms:get'>['messages'][number];

export function roomLine({ room, agents, task, speaking, closedAt }: ShownRoom): string {
  const name = closedAt === undefined ? room : word('room.closed', { room });
  const who = agents.map((agent) => `${agent.name} (${agent.agentType}, ${agent.permission})`).join(', ');
  const lines = [`${colours.bold(name)} · ${who}`];
  if (task !== undefined) lines.push(task);
  if (speaking !== undefined) lines.push(word('room.speaking', { agent: speaking }));
  return `${lines.join('\n')}\n\n`;
}

/** One message, with what stands for it and what became of a turn. */
export function messageLines(message: ShownMessage): string {
  const { number, createdAt, notice, replacedBy } = message;
  const when = `${String(number).padStart(4)}  ${whenWords(createdAt)}`;
  if (notice !== undefined) return `${colours.dim(`${when}  ${noticeWords(message)}`)}\n`;
  const text = contentText([...arrayOf(message.content)]);
  const body = text
    .split('\n')
    .map((line) => (line === '' ? '' : `      ${line}`))
    .join('\n');
  const head = `${when}  ${colours.bold(headWords(message))}${marksOf(message)}`;
  const whole = `${head}\n${body}\n`;
  return replacedBy === undefined ? whole : colours.dim(whole);
}

function arrayOf(content: ShownMessage['content']) {
  return typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
}

function headWords({ from, to, range }: ShownMessage): string {
  if (range !== undefined) return word('room.summary', { from, first: range.first, last: range.last });
  return to === undefined ? from : `${from} → ${to}`;
}

function marksOf({ role, pinned, priority, replacedBy }: ShownMessage): string {
  const marks = [
    ...(role === 'system' ? [word('room.mark.rule')] : []),
    ...(pinned ? [word('room.mark.pinned')] : []),
    ...(priority ? [word('room.mark.priority', { n: priority })] : []),
    ...(replacedBy === undefined ? [] : [word('room.mark.replaced', { n: replacedBy })]),
  ];
  return marks.length === 0 ? '' : ` · ${marks.join(' · ')}`;
}

function noticeWords({ notice, range }: ShownMessage): string {
  const { kind = 'failed', agent = '', code = '' } = notice ?? {};
  switch (kind) {
    case 'failed':
      return word('room.notice.failed', { agent, code });
    case 'refused':
      return word('room.notice.refused', { agent, code });
    case 'cancelled':
      return word('room.notice.cancelled', { agent });
    case 'lost':
      return word('room.notice.lost', { agent });
    case 'expanded':
      return word('room.expanded', { first: range?.first ?? 0, last: range?.last ?? 0 });
    case 'closed':
      return word('room.notice.closed');
  }
}
