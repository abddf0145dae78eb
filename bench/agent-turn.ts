// Promise: a long conversation is trimmed in linear time, far below a loop that drops one message and rebuilds.
import { assembleTurn } from '../src/agents/assemble-turn.js';
import { seededRandom } from './peers/random.js';
import { quantile, report, timed } from './peers/report.js';

const maxBytes = 768 * 1024;
const random = seededRandom(4);
const conversation = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    from: index % 2 ? 'max' : 'sarah',
    to: index % 2 ? 'sarah' : 'max',
    content: 'lorem 林远 ipsum '.repeat(1 + Math.floor(random() * 6)),
  }));

const input = (count: number) => ({
  contextMessages: conversation(count),
  currentMessage: 'What now?',
  teamTask: 'Ship it',
  maxBytes,
});

/** The obvious loop, as far as it needs to go. Only a part of its steps is run; the rest is worked out from their mean. */
async function dropAndRebuild(messages: ReturnType<typeof conversation>): Promise<number> {
  const lines = messages.map(({ from, to, content }) => `- ${from} -> ${to}: ${content}`);
  let bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
  let steps = 0;
  while (bytes > maxBytes) {
    bytes -= Buffer.byteLength(lines[steps] ?? '') + 1;
    steps += 1;
  }
  const sample = 40;
  let spent = 0;
  for (let at = 0; at < sample; at += 1) {
    const from = Math.floor((at / sample) * steps);
    spent += await timed(() =>
      Buffer.byteLength(`[CONTEXT]\n${lines.slice(from).join('\n')}\n\n[MESSAGE]\nWhat now?`),
    );
  }
  return (spent / sample) * steps;
}

async function ours(count: number, rounds: number): Promise<number> {
  const turn = input(count);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1)
    times.push(await timed(() => assembleTurn('claude-code', turn)));
  return quantile(times, 0.5);
}

await ours(20_000, 3);
const small = await ours(25_000, 7);
const large = await ours(100_000, 7);
const loop = await dropAndRebuild(conversation(100_000));
report('agent-turn', [
  {
    promise: '100,000 messages trimmed to 768 KiB',
    bar: 'at least 100× below a drop-one-and-rebuild loop',
    measured: `${(loop / large).toFixed(0)}× (${large.toFixed(0)} ms against ${(loop / 1000).toFixed(1)} s)`,
    reached: loop / large >= 100,
  },
  {
    promise: 'growth from 25,000 to 100,000 messages',
    bar: 'linear (at most 5× for 4×)',
    measured: `${(large / small).toFixed(1)}× (${small.toFixed(0)} ms to ${large.toFixed(0)} ms)`,
    reached: large / small <= 5,
  },
]);
