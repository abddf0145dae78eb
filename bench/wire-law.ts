// Promise [wire.same]: of some thousand calls of every kind, over the loopback, over a provider that shares no code with us and over
// agent CLIs, not one is received with other bytes than its receipt says; and pages of a review hold neither a planted secret nor a
// hidden character. GALLEY_MIRRORS adds commits of the public repositories in that folder.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runTurn } from '../src/agents/run/run-turn.js';
import { callKinds } from '../src/models/contract/model.js';
import { findModel } from '../src/models/find-model.js';
import {
  cliModels,
  driveAgent,
  driveJudge,
  driveReview,
  driveSkill,
  pendingKinds,
  prepareWriting,
  providerModels,
  reviewModels,
  type Sent,
} from '../test/wire/drivers.js';
import { hiddenCharacters, makeVariedRepository, plantedSecrets } from '../test/wire/hard-repository.js';
import { differences, type Received } from '../test/wire/law.js';
import { openPlainProvider, providerEnvironment } from '../test/wire/plain-provider.js';
import { openLoopbackProvider, openSources, type SourcesWorld } from '../test/wire/sources-world.js';
import { hardTexts } from '../test/wire/texts.js';
import { report } from './peers/report.js';

const rounds = 22;
const counts = new Map<string, number>();
const faults: string[] = [];
const leaks: string[] = [];

function note(sent: readonly Sent[], over: string): void {
  for (const each of sent) {
    const key = `${each.kind} over ${over}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    faults.push(...each.faults.map((fault) => `${key}: ${fault}`));
  }
}

/** The same numbers every time. */
function lottery(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}
const pick = lottery(20_261_115);
let reviewed = 0;
const words = [...hardTexts, '雨下了一夜。', '\n\n', 'He waited.', '  ', '\t', '他说：“走吧。”\r\n'];
const text = () => {
  const pieces = Array.from({ length: 1 + pick(40) }, () => words[pick(words.length)] ?? '');
  return `${pieces.join(pick(2) === 0 ? '\n' : '')}。`;
};

/** A model that takes no system text gets no skill. */
const writers = providerModels.filter((model) => !model.includes('gemma'));

async function overHttp(world: SourcesWorld, over: string): Promise<void> {
  const environment = { ...process.env, ...providerEnvironment(world.provider.url) };
  for (let round = 0; round < rounds; round += 1) {
    for (const model of writers) note(await driveSkill(world, { model, text: text() }), over);
    for (const model of [...providerModels, ...providerModels])
      note(await driveJudge(world, { model, text: text() }), over);
    for (const name of [...providerModels, ...providerModels]) {
      world.say(['Done.']);
      const model = await findModel(name, { folder: world.context.folder, environment });
      const turn = { contextMessages: [{ from: 'max', content: text() }], currentMessage: text() };
      const run = {
        ...{ model, signal: world.context.signal, native: pick(2) === 0 },
        timeouts: { firstByteMs: 60_000, totalMs: 60_000 },
      };
      const { receipt } = await runTurn('google-gemini', { ...turn, systemInstruction: text() }, run);
      const [received] = world.received();
      const found = received === undefined ? ['nothing was received'] : differences(received, receipt);
      note([{ kind: 'agent-turn', faults: found }], over);
    }
    makeVariedRepository(join(world.context.folder, `varied-${round}`), pick);
    await review(world, over, `varied-${round}`);
  }
  for (const repository of publicChanges(world.context.folder)) await review(world, over, repository);
}

/** By some of the models in turn, on pages of several sizes. */
async function review(world: SourcesWorld, over: string, repository: string): Promise<void> {
  for (let time = 0; time < 3; time += 1) {
    const model = reviewModels[reviewed % reviewModels.length] ?? '';
    reviewed += 1;
    const request = {
      maxChunkTokens: [300, 900, 4_000][pick(3)],
      ...(pick(2) === 0 ? { context: [800, 4_000][pick(2)] } : {}),
    };
    const watched = { ...world, repository, received: () => withoutLeaks(world.received()) };
    note(await driveReview(watched, { model, request }), model.startsWith('cli/') ? 'agent CLIs' : over);
  }
}

function withoutLeaks(received: Received[]): Received[] {
  for (const { by, system, prompt } of received) {
    const text = system + prompt;
    if (plantedSecrets.some((secret) => text.includes(secret))) leaks.push(`${by}: a planted secret`);
    if (hiddenCharacters.test(text)) leaks.push(`${by}: a hidden character`);
  }
  return received;
}

/** One change each of the public repositories at hand, another one each time. */
function publicChanges(folder: string): string[] {
  const mirrors = process.env.GALLEY_MIRRORS;
  if (mirrors === undefined) return [];
  const names = readdirSync(mirrors).filter((name) => existsSync(join(mirrors, name, 'repo', 'HEAD')));
  return names.flatMap((name) => {
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-C', join(folder, name), ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
    execFileSync('git', ['clone', '-q', '--bare', join(mirrors, name, 'repo'), join(folder, name)]);
    const back = pick(20);
    try {
      git('update-ref', 'refs/heads/topic', git('rev-parse', `HEAD~${back}`).toString().trim());
      git('update-ref', 'refs/heads/main', git('rev-parse', `topic~1`).toString().trim());
    } catch {
      return []; // Too short a history.
    }
    return [name];
  });
}

for (const [over, open] of [
  ['loopback', openLoopbackProvider],
  ['plain server', openPlainProvider],
] as const) {
  const world = await openSources({ provider: await open() });
  await prepareWriting(world);
  await overHttp(world, over);
  if (over === 'plain server') {
    process.env.PATH = `${world.agents.folder}:${process.env.PATH}`;
    for (let round = 0; round < 8; round += 1) {
      for (const model of cliModels) note(await driveJudge(world, { model, text: text() }), 'agent CLIs');
      for (const agentType of ['claude', 'codex', 'gemini'])
        note(await driveAgent(world, { agentType, text: text(), native: round % 2 === 0 }), 'agent CLIs');
    }
  }
  await world.close();
}

const calls = [...counts.values()].reduce((sum, count) => sum + count, 0);
const kinds = new Set([...counts.keys()].map((key) => key.split(' ')[0]));
const missing = callKinds.filter((kind) => !kinds.has(kind) && !pendingKinds.includes(kind));
report(
  'wire-law',
  [
    {
      promise: 'calls received with other bytes than sealed',
      bar: 'none of 2,000 or more, of every kind',
      measured: `${faults.length} of ${calls}`,
      reached: faults.length === 0 && calls >= 2_000 && missing.length === 0,
    },
    {
      promise: 'calls of reviews that hold a planted secret or a hidden character',
      bar: 'none',
      measured: String(leaks.length),
      reached: leaks.length === 0,
    },
  ],
  { calls: Object.fromEntries([...counts].sort()) },
);
const overs = ['loopback', 'plain server', 'agent CLIs'];
console.log(`\n| kind of call | ${overs.join(' | ')} |\n|---|${'---|'.repeat(overs.length)}`);
for (const kind of callKinds)
  console.log(`| ${kind} | ${overs.map((over) => counts.get(`${kind} over ${over}`) ?? 0).join(' | ')} |`);
for (const fault of [...faults, ...leaks].slice(0, 20)) console.error(fault);
if (faults.length + leaks.length > 0 || calls < 2_000 || missing.length > 0) process.exitCode = 1;
