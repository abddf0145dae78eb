import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { layOut } from '../../core/lay-out.js';
import { canonicalJson } from '../../core/model/canonical-json.js';
import type { Fragment } from '../../core/model/fragment.js';
import type { SealedPrompt } from '../../core/model/press.js';
import { hashText } from '../../meters/content-hash.js';
import { bytesMeter } from '../../meters/plain-meters.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import { askModel } from '../ask-model.js';
import { promptCapacity } from '../catalog/catalog.js';
import { everyProtocol, httpStage } from '../testing/http-stage.js';
import type { Model } from './model.js';
import { type Placement, placed, sealFor } from './placement.js';

const scope = { project: 'test' };

function sealedTexts(system: string, prompt: string, placement: Placement): SealedPrompt {
  const press = placed<string>(
    {
      recipe: {
        id: 'test',
        version: 1,
        overflow: 'concede',
        layers: [{ id: 'all', keep: 'all' }],
        sections: [
          { id: 'system', channel: 'system' },
          { id: 'prompt', channel: 'prompt' },
          { id: 'answer', channel: 'answer' },
        ],
      },
      dialect: {
        id: 'test',
        version: 1,
        apart: '\n\n',
        section: () => ({ heading: '', between: '\n' }),
        word: (body) => body,
      },
      meter: bytesMeter,
      hash: hashText,
    },
    placement,
  );
  const texts = { system, prompt, answer: placement.answer ?? '' };
  const fragments = Object.entries(texts)
    .filter(([, text]) => text !== '')
    .map(
      ([section, text], rank): Fragment<string> => ({
        ...{ id: section, source: section, scope, layer: 'all', section, rank, position: rank },
        levels: [{ name: 'whole', body: text }],
      }),
    );
  const budget = { limit: { unit: 'bytes' as const, n: 1_000_000 } };
  return layOut(press, { scope, budget }, fragments).sealPage(0);
}

const ask = (model: Model, sealed: SealedPrompt, more = {}) =>
  askModel(model, sealed, {
    ...{ kind: 'judge', timeouts: { firstByteMs: 30_000, totalMs: 30_000 } },
    ...{ signal: new AbortController().signal, ...more },
  } as const);

const picky: Model = {
  ...scriptedModel(['fine']),
  systemInPrompt: (system) => system.includes('$'),
  readsAsCommand: (prompt) => prompt.startsWith('/'),
};

describe('a prompt for a model', () => {
  it('is set once where the model takes anything', async () => {
    let times = 0;
    await sealFor(scriptedModel(['fine']), (placement) => {
      times += 1;
      return sealedTexts('Be brief.', '/help', placement);
    });
    expect(times).toBe(1);
  });

  it('holds what the model needs before it is sealed, and nothing more [wire.same]', async () => {
    const set = (system: string, prompt: string) =>
      sealFor(picky, (placement) => sealedTexts(system, prompt, placement));
    expect(await set('Be brief.', 'Hello')).toMatchObject({ system: 'Be brief.', prompt: 'Hello' });
    expect(await set('Be brief.', '/help')).toMatchObject({ system: 'Be brief.', prompt: '\n/help' });
    expect(await set('Cost: $5', 'Hello')).toMatchObject({ system: '', prompt: 'Cost: $5\n\nHello' });
    const both = await set('/all for $5', 'Hello');
    expect(both).toMatchObject({ system: '', prompt: '\n/all for $5\n\n\nHello' });
    expect(both.receipt.used.n).toBe(Buffer.byteLength(both.prompt));
  });

  it('is held against its receipt, and weighed against the window of the model [wire.window]', async () => {
    const catalog = {
      version: 'test',
      rows: [{ model: 'small/*', input: 0, output: 0, window: 1_000, mostOutput: 400 }],
    };
    const model = scriptedModel(['fine'], 'small/model');
    const sealed = (words: number) => {
      const placement = { systemInPrompt: false, leadingLine: false };
      return sealedTexts('Be brief.', 'word '.repeat(words), placement);
    };
    await ask(model, sealed(100), { catalog });
    expect(model.requests[0]).not.toHaveProperty('maxOutputTokens');
    // The longest answer would no longer fit, so a shorter one is asked for.
    await ask(model, sealed(500), { catalog });
    const asked = model.requests[1]?.maxOutputTokens ?? 0;
    expect(asked).toBeGreaterThanOrEqual(250);
    expect(asked).toBeLessThan(400);
    await expect(ask(model, sealed(800), { catalog })).rejects.toMatchObject({
      code: 'CONTEXT_BUDGET_INFEASIBLE',
      details: { limit: 750, unit: 'tokens' },
    });
    await expect(ask(model, sealed(500), { catalog, maxOutputTokens: 900 })).rejects.toMatchObject({
      details: { limit: 100 },
    });
    await expect(ask(model, { ...sealed(1), prompt: 'word.' }, { catalog })).rejects.toMatchObject({
      code: 'INTERNAL',
    });
    expect(model.requests).toHaveLength(2);
  });

  it('has the room that the window leaves, less where another meter weighs [wire.window]', () => {
    expect(promptCapacity('openai/gpt-4o', { meter: 'o200k_base' })).toBe(128_000 - 8_192);
    expect(promptCapacity('openai/gpt-4o', { meter: 'o200k_base', maxOutputTokens: 8_000 })).toBe(120_000);
    expect(promptCapacity('anthropic/claude-sonnet-4-5', { meter: 'claude-estimate' })).toBe(191_808);
    expect(promptCapacity('anthropic/claude-sonnet-4-5', { meter: 'o200k_base' })).toBe(115_084);
    expect(promptCapacity('custom/anything', { meter: 'o200k_base' })).toBeUndefined();
    const catalog = { version: 'test', rows: [{ model: 'custom/*', input: 0, output: 0, window: 8_000 }] };
    expect(promptCapacity('custom/gpt-4o', { meter: 'o200k_base', catalog })).toBe(6_000);
  });
});

const shape = {
  name: 'judgement',
  schema: z.toJSONSchema(
    z.object({
      findings: z.array(
        z.object({ line: z.int(), kind: z.enum(['a', 'b']), note: z.string().max(200).nullable() }),
      ),
    }),
  ),
};

describe('the form of an answer', () => {
  for (const name of [
    ...everyProtocol,
    'anthropic/claude-3-5-haiku-latest',
    'openai/gpt-5.6',
    'mistral/mistral-large',
  ])
    it(`is sealed as it stands on the wire: ${name} [wire.same]`, async () => {
      const { model, loopback } = await httpStage(name, { text: '{}' });
      const sealed = await sealFor(model, (placement) => sealedTexts('Be brief.', 'Hello', placement), shape);
      await ask(model, sealed);
      const { body } = loopback.calls[0]!;
      const schema = JSON.stringify(body).includes('findings') ? schemaOn(body) : undefined;
      expect(sealed.answer).toBe(schema === undefined ? undefined : canonicalJson(schema));
      expect(sealed.answer === undefined).toBe(name.startsWith('deepseek'));
    });

  it('is refused where it was sealed for another provider', async () => {
    const { model } = await httpStage('google/gemini-2.5-pro', { text: '{}' });
    const answer = canonicalJson(shape.schema);
    const sealed = sealedTexts('', 'Hello', { systemInPrompt: false, leadingLine: false, answer });
    await expect(ask(model, sealed)).rejects.toMatchObject({ code: 'INTERNAL' });
  });
});

/** The deepest value that is a schema of an object with findings. */
function schemaOn(body: unknown): unknown {
  let found: unknown;
  JSON.parse(JSON.stringify(body), (_, value) => {
    if (value?.properties?.findings !== undefined) found = value;
    return value;
  });
  return found;
}
