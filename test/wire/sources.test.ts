// The law of the wire on the sources: every kind of call, every provider and CLI, from the receiving side.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { callKinds, type Model } from '../../src/models/contract/model.js';
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
} from './drivers.js';
import { agentNames } from './plain-agents.js';
import { openSources, type SourcesWorld } from './sources-world.js';
import { hardText, hardTexts } from './texts.js';

let world: SourcesWorld;
const reached = new Set<string>();
beforeAll(async () => {
  world = await openSources();
  await prepareWriting(world);
  vi.stubEnv('PATH', `${world.agents.folder}:${process.env.PATH}`);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await world.close();
});

/** Starting a CLI takes its time, so most texts go there together. */
const textsFor = (model: string) =>
  model.startsWith('cli/') ? [...hardTexts.slice(0, 2), hardTexts.slice(2).join('\n\n')] : hardTexts;

const lawful = (sent: readonly Sent[], calls: number) => {
  for (const { kind } of sent) reached.add(kind);
  expect(sent.flatMap(({ kind, faults }) => faults.map((fault) => `${kind}: ${fault}`))).toEqual([]);
  expect(sent).toHaveLength(calls);
};

describe('what a model receives is what was sealed', () => {
  for (const model of [...providerModels, ...cliModels]) {
    it(`when ${model} writes with a skill, and writes again [wire.same]`, async () => {
      lawful(await driveSkill(world, { model, text: hardText(3_000) }), 2);
    });

    it(`when ${model} judges, whatever the text [wire.same]`, async () => {
      for (const text of textsFor(model)) lawful(await driveJudge(world, { model, text }), 1);
      lawful(await driveSummary(world, { model, text: hardText(3_000) }), 1);
    });
  }

  for (const model of providerModels.filter((name) => !name.includes('gemma')))
    it(`when ${model} answers a chat that somebody else holds [wire.same]`, async () => {
      for (const text of hardTexts) lawful(await driveChat(world, { model, text }), 1);
    });

  it('when a skill says what a CLI would act on [wire.same]', async () => {
    for (const model of cliModels)
      lawful(await driveSkill(world, { model, text: '/help', skillId: 'templated' }), 2);
  });

  it('when the text is large [wire.same]', async () => {
    const text = hardText(200_000);
    for (const model of ['anthropic/claude-sonnet-4-5', 'cli/claude']) {
      const sent = await driveJudge(world, { model, text });
      expect(sent.length).toBeGreaterThan(0);
      lawful(sent, sent.length);
    }
    lawful(await driveAgent(world, { agentType: 'codex', text, native: false }), 1);
  });

  for (const agentType of agentNames)
    it(`when a turn goes to ${agentType}, whatever is said [wire.same]`, async () => {
      for (const native of [false, true])
        for (const text of textsFor('cli/')) lawful(await driveAgent(world, { agentType, text, native }), 1);
    });

  it('when pages of a change are reviewed [wire.same]', async () => {
    for (const model of reviewModels) {
      const sent = await driveReview(world, { model });
      lawful(sent, sent.length);
      expect(sent).not.toEqual([]);
    }
  });

  it('when a question is asked about a change [wire.same]', async () => {
    for (const model of reviewModels)
      for (const text of textsFor(model).slice(0, 2)) lawful(await driveQuestion(world, { model, text }), 3);
  });

  it('for every kind of call there is [wire.same]', () => {
    expect(callKinds.filter((kind) => !reached.has(kind))).toEqual(pendingKinds);
    expect(pendingKinds.filter((kind) => reached.has(kind))).toEqual([]);
  });
});

describe('a text that changes on the way', () => {
  const mutants: readonly ((request: Parameters<Model['run']>[0]) => Parameters<Model['run']>[0])[] = [
    (request) => ({ ...request, prompt: `\n${request.prompt}` }),
    (request) => ({ ...request, prompt: request.prompt.slice(0, -1) }),
    (request) => ({ ...request, prompt: request.prompt.replace('\r\n', '\n') }),
    (request) => ({ ...request, system: `${request.system} ` }),
    ({ system: _, ...request }) => request,
    (request) => ({
      ...request,
      shape: { name: 'x', schema: { type: 'object', additionalProperties: false } },
    }),
  ];
  let mutant: (typeof mutants)[number] | undefined;
  let changed: SourcesWorld | undefined;
  afterEach(() => changed?.close());

  it('is found by the law, one byte or many [wire.same]', async () => {
    const around = (model: Model): Model => ({
      ...model,
      run: (request, options) => model.run(mutant?.(request) ?? request, options),
    });
    changed = await openSources({ around });
    await prepareWriting(changed);
    const job = { model: 'anthropic/claude-sonnet-4-5', text: 'one\r\ntwo\n他走了。 \n' };
    lawful(await driveJudge(changed, job), 1);
    for (mutant of mutants) {
      const [sent] = await driveJudge(changed, job);
      expect(sent?.faults, String(mutant)).not.toEqual([]);
    }
  });

  it('is found in a receipt as well [wire.sealed]', async () => {
    const { differences } = await import('./law.js');
    world.say(['{"findings":[]}']);
    const { receipts } = await world.call('constraints:judge', {
      ...{ projectId: 'wire', text: 'He left.', model: 'custom/plain' },
    });
    const [received] = world.received();
    const [receipt] = receipts;
    expect(differences(received!, receipt)).toEqual([]);
    const altered = [
      { ...receipt, used: { ...receipt.used, n: receipt.used.n - 1 } },
      { ...receipt, ledger: receipt.ledger.slice(1) },
      { ...receipt, id: 'f'.repeat(32) },
      { ...receipt, warnings: [{ code: 'X', message: 'later' }] },
      JSON.parse(JSON.stringify(receipt).replace('"start":0', '"start":1')),
    ];
    for (const one of altered) expect(differences(received!, one)).not.toEqual([]);
  });
});
