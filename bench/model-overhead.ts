// Promise: a run of a model costs hardly more than the bare call of the provider's package it is made with.
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { Model } from '../src/models/contract/model.js';
import { findModel } from '../src/models/find-model.js';
import { openLoopback } from '../src/testing/loopback/open-loopback.js';
import { quantile, report } from './peers/report.js';

const mostMs = 5;
const rounds = 120;
const warmUp = 20;

const loopback = await openLoopback({
  script: { chunks: Array.from({ length: 40 }, (_, index) => `word${index} `) },
});
const environment = {
  ANTHROPIC_API_KEY: 'key',
  ANTHROPIC_BASE_URL: loopback.url,
  OPENAI_API_KEY: 'key',
  OPENAI_BASE_URL: `${loopback.url}/v1`,
};
const bare: Record<string, LanguageModelV3> = {
  'anthropic/claude-sonnet-4-5': createAnthropic({
    apiKey: 'key',
    baseURL: `${loopback.url}/v1`,
  }).languageModel('claude-sonnet-4-5'),
  'openai/gpt-4o': createOpenAI({ apiKey: 'key', baseURL: `${loopback.url}/v1` }).responses('gpt-4o'),
};

const system = 'Rules that never change. 规则不变。\n'.repeat(100);
const sizes = [
  { name: '4 KB', prompt: 'A line of the prompt, 一行提示。\n'.repeat(100) },
  { name: '400 KB', prompt: 'A line of the prompt, 一行提示。\n'.repeat(10_000) },
];

async function bareCall(model: LanguageModelV3, prompt: string): Promise<void> {
  const { stream } = await model.doStream({
    prompt: [
      { role: 'system', content: system },
      { role: 'user', content: [{ type: 'text', text: prompt }] },
    ],
  });
  let text = '';
  for await (const part of stream) if (part.type === 'text-delta') text += part.delta;
  if (text === '') throw new TypeError('no answer');
}

async function ourCall(model: Model, prompt: string): Promise<void> {
  const bytes = Buffer.byteLength(prompt);
  let text = '';
  const answer = await model.run(
    {
      system,
      prompt,
      timeouts: { firstByteMs: 60_000, totalMs: 60_000 },
      cachePoints: { system: [Buffer.byteLength(system)], prompt: [Math.floor(bytes / 2), bytes] },
    },
    {
      signal: new AbortController().signal,
      onText: (more) => {
        text += more;
      },
    },
  );
  if (answer.text !== text) throw new TypeError('not what was streamed');
}

interface Time {
  readonly wall: number;
  /** Of this process, the server's part included. */
  readonly work: number;
}

async function timed(work: () => Promise<void>): Promise<Time> {
  const spent = process.cpuUsage();
  const start = process.hrtime.bigint();
  await work();
  const wall = Number(process.hrtime.bigint() - start) / 1e6;
  const { user, system: kernel } = process.cpuUsage(spent);
  return { wall, work: (user + kernel) / 1000 };
}

const middle = (times: readonly Time[], of: keyof Time) =>
  quantile(
    times.map((time) => time[of]),
    0.5,
  );

const rows = [];
for (const [name, sdk] of Object.entries(bare)) {
  const model = await findModel(name, { folder: '.', environment });
  for (const { name: size, prompt } of sizes) {
    const theirs: Time[] = [];
    const ours: Time[] = [];
    for (let round = 0; round < warmUp + rounds; round += 1) {
      // In turn, so that both meet the same machine.
      const first = await timed(() => bareCall(sdk, prompt));
      const second = await timed(() => ourCall(model, prompt));
      if (round < warmUp) continue;
      theirs.push(first);
      ours.push(second);
    }
    const [base, own] = [middle(theirs, 'wall'), middle(ours, 'wall')];
    const work = middle(ours, 'work') - middle(theirs, 'work');
    rows.push({
      promise: `overhead over the bare call, ${name}, prompt of ${size}`,
      bar: `below ${mostMs} ms`,
      measured: `${(own - base).toFixed(2)} ms (${(own / base).toFixed(2)}×: ${own.toFixed(2)} against ${base.toFixed(2)} ms; ${work.toFixed(2)} ms of work)`,
      reached: own - base < mostMs,
    });
  }
}
await loopback.close();
report('model-overhead', rows);
