// Promise: in a long room most of what an agent is sent begins as its call before did, so that a provider's cache keeps hitting:
// with hops, and more with summaries that stand for what was said long ago.
import { assembleTurn } from '../src/agents/assemble-turn.js';
import { newRoom, type Room, type RoomAgent, type RoomMessage } from '../src/agents/rooms/room.js';
import { turnOf, viewOf } from '../src/agents/rooms/room-view.js';
import type { Meter } from '../src/core/model/meter.js';
import { createCountCache, withCountCache } from '../src/meters/count-cache.js';
import { loadMeter } from '../src/meters/load-meter.js';
import { chineseText, logNormal, seededRandom } from './peers/random.js';
import { report } from './peers/report.js';

const names = ['max', 'sarah', 'lin', 'ada', 'wei'];
const count = 1000;
const plain = await loadMeter('o200k_base');
const meter = withCountCache(plain, createCountCache());
const tokensOf = (text: string) => plain.weigh(text) / plain.scale;

/** Five agents that speak in no fixed order, and people in between. */
function conversation(): RoomMessage[] {
  const random = seededRandom(16);
  return Array.from({ length: count }, (_, at) => {
    const isPerson = random() < 0.2;
    const from = isPerson ? 'kailai' : (names[Math.floor(random() * names.length)] ?? 'max');
    const content = chineseText(random, Math.ceil(logNormal(random, 60, 0.8)));
    const role = isPerson ? ('user' as const) : ('assistant' as const);
    return { number: at + 1, id: `m${at}`, createdAt: at, role, from, content };
  });
}

const all = conversation();
const whole = all.reduce((sum, { from, content }) => sum + tokensOf(`- ${from} -> all: ${content}\n`), 0);
const budget = Math.floor(whole / 4);

/** The stretch behind what is summed up already, but for the newest quarter of the budget. */
function nextStretch(
  { compactions }: Room,
  messages: readonly RoomMessage[],
): { first: number; last: number } {
  const first = Math.max(0, ...compactions.map(({ last }) => last)) + 1;
  let kept = 0;
  let at = messages.length;
  while (at > first && kept < budget / 4) {
    at -= 1;
    kept += tokensOf(String(messages[at]?.content));
  }
  return { first, last: messages[at - 1]?.role === 'summary' ? at - 1 : at };
}

interface Outcome {
  common: number;
  sent: number;
  compactions: number;
}

function converse(
  trim: RoomAgent['trim'],
  compacts: boolean,
  counting: Meter,
): Record<'all' | 'full', Outcome> {
  const random = seededRandom(17);
  const agents = names.map(
    (name): RoomAgent => ({
      ...{ name, agentType: 'claude-code', permission: 'read', trim, maxTokens: budget },
      systemInstruction: `You are ${name}. ${chineseText(random, 200)}`,
    }),
  );
  const stored = { id: 'r', messages: 0, createdAt: 0, changedAt: 0 };
  let room: Room = { ...stored, ...newRoom(agents, 'The login') };
  const messages: RoomMessage[] = [];
  const before = new Map<string, string>();
  const none = (): Outcome => ({ common: 0, sent: 0, compactions: 0 });
  const outcome = { all: none(), full: none() };
  let isFull = false;
  const add = (message: RoomMessage) => messages.push({ ...message, number: messages.length + 1 });
  for (const message of all) {
    const agent = agents.find(({ name }) => name === message.from);
    if (agent !== undefined && messages.length > 0) {
      const shown = viewOf(room, messages).shown;
      const size = shown.reduce((sum, { content }) => sum + tokensOf(String(content)) + 8, 0);
      if (size > budget * 0.9) {
        isFull = true;
        if (compacts) {
          const stretch = nextStretch(room, messages);
          add({ ...message, role: 'summary', content: chineseText(random, 300), range: stretch });
          room = { ...room, compactions: [...room.compactions, { ...stretch, summary: messages.length }] };
          for (const of of Object.values(outcome)) of.compactions += 1;
        }
      }
      const { input, ...notes } = turnOf(room, messages, agent);
      const { prompt, systemFlag = '' } = assembleTurn('claude-code', input, { ...notes, meter: counting });
      const text = `${systemFlag}\n${prompt}`;
      const last = before.get(agent.name);
      if (last !== undefined) {
        const [common, sent] = [tokensOf(text.slice(0, commonLength(text, last))), tokensOf(text)];
        for (const of of isFull ? [outcome.all, outcome.full] : [outcome.all]) {
          of.common += common;
          of.sent += sent;
        }
      }
      before.set(agent.name, text);
    }
    add(message);
  }
  return outcome;
}

function commonLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at;
}

const percent = ({ common, sent }: Outcome) => (100 * common) / sent;
const setting = `5 agents, 1,000 messages, ${Math.round(whole / 1000)}k tokens, budget a quarter`;
const rows = (
  [
    ['exact trimming', 'beside the others', 0, converse('exact', false, meter)],
    ['hops', '≥ 75 %', 75, converse('hops', false, meter)],
    ['compaction', '≥ 90 %', 90, converse('hops', true, meter)],
  ] as const
).map(([name, bar, least, { all: every, full }]) => ({
  promise: `common prefix with the agent's call before, by tokens; ${setting}; ${name}`,
  bar,
  measured: `${percent(every).toFixed(1)} %; ${percent(full).toFixed(1)} % once the budget was full (${full.compactions} summaries)`,
  reached: percent(every) >= least && percent(full) >= least,
}));
report('agent-room', rows);
