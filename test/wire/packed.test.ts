// The law of the wire on the packed, installed program: nothing of the sources takes part, on neither side.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callKinds } from '../../src/models/contract/model.js';
import { packedBin } from '../packed/packed-program.js';
import {
  cliModels,
  driveAgent,
  driveChat,
  driveJudge,
  driveQuestion,
  driveReview,
  driveSkill,
  driveSummary,
  pendingKinds,
  prepareWriting,
  providerModels,
  reviewModels,
  type Sent,
  type World,
} from './drivers.js';
import { makeRepository } from './hard-repository.js';
import { callPacked, type Place, type Served, servePacked } from './packed-calls.js';
import { agentNames, installPlainAgents } from './plain-agents.js';
import { openPlainProvider, type PlainProvider, providerEnvironment } from './plain-provider.js';
import { hardText, hardTexts } from './texts.js';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'galley-packed-wire-')));
const reached = new Set<string>();
let provider: PlainProvider;
let served: Served;
let world: World;
let place: Place;

beforeAll(async () => {
  provider = await openPlainProvider();
  const agents = installPlainAgents(join(root, 'bin'));
  const cwd = join(root, 'work');
  makeRepository(join(cwd, 'repository'));
  const env = {
    ...providerEnvironment(provider.url),
    PATH: `${agents.folder}${delimiter}${process.env.PATH}`,
    HOME: join(root, 'home'),
    LC_ALL: 'C',
  };
  place = { bin: packedBin(), cwd, env };
  served = await servePacked(place);
  world = {
    call: served.call,
    repository: 'repository',
    say(words) {
      provider.say(words);
      agents.say(words);
    },
    received: () => [...provider.received(), ...agents.received()],
  };
  await prepareWriting(world);
});

afterAll(async () => {
  await served?.close();
  await provider?.close();
  rmSync(root, { recursive: true, force: true });
});

const lawful = (sent: readonly Sent[]) => {
  for (const { kind } of sent) reached.add(kind);
  expect(sent.flatMap(({ kind, faults }) => faults.map((fault) => `${kind}: ${fault}`))).toEqual([]);
  expect(sent).not.toEqual([]);
};

describe('what a model receives from the installed program is what was sealed', () => {
  for (const model of [...providerModels, ...cliModels])
    it(`by ${model}, for skills and judgements [shipped.same]`, async () => {
      const text = hardText(3_000);
      lawful(await driveSkill(world, { model, text }));
      lawful(await driveJudge(world, { model, text }));
      lawful(await driveSummary(world, { model, text }));
      if (providerModels.includes(model) && !model.includes('gemma'))
        lawful(await driveChat(world, { model, text }));
    });

  for (const agentType of agentNames)
    it(`by ${agentType}, for turns of a conversation [shipped.same]`, async () => {
      for (const [text, native] of [
        [hardText(200_000), false],
        [hardTexts[1] ?? '', true],
      ] as const)
        lawful(await driveAgent(world, { agentType, text, native }));
    });

  it('when it is called from a shell [shipped.same]', async () => {
    const shell = { ...world, call: (id: string, request: object) => callPacked(place, id, request) };
    lawful(await driveJudge(shell, { model: 'anthropic/claude-sonnet-4-5', text: hardText(3_000) }));
    lawful(await driveAgent(shell, { agentType: 'gemini', text: hardTexts[0] ?? '', native: true }));
  });

  it('for pages of a change [shipped.same]', async () => {
    for (const model of reviewModels) lawful(await driveReview(world, { model }));
  });

  it('for a question about a change [shipped.same]', async () => {
    for (const model of ['anthropic/claude-sonnet-4-5', 'cli/codex'])
      lawful(await driveQuestion(world, { model, text: hardText(1_000) }));
  });

  it('for every kind of call there is [shipped.same]', () => {
    expect(callKinds.filter((kind) => !reached.has(kind))).toEqual(pendingKinds);
  });
});
