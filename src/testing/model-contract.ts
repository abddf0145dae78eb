// What every model owes its callers, as one suite: run it against yours.
import { describe, expect, it } from 'vitest';
import { type ErrorCode, GalleyError } from '../core/model/error.js';
import type { Model, ModelRequest, RunOptions } from '../models/contract/model.js';

export type ModelBehaviour =
  /** Says `contractAnswer`, in pieces. */
  | 'answer'
  | 'empty'
  | 'malformed'
  /** Breaks off after some words. */
  | 'cut'
  | 'key-refused'
  | 'unknown-model'
  /** However often it is asked. */
  | 'rate-limited'
  /** More than 10 MB. */
  | 'huge'
  /** Signs of life, but never a word. */
  | 'never'
  /** Some words, then silence. */
  | 'begin-hang'
  | 'endless';

export interface ModelStage {
  readonly model: Model;
  /** Prompts that reached the other side, as they arrived. */
  received?(): readonly string[];
  /** Afterwards nothing of the runs may be left. */
  close(): void | Promise<void>;
}

export interface ModelGround {
  /** What the other side of this model can show. */
  readonly behaviours: readonly ModelBehaviour[];
  stage(behaviour: ModelBehaviour): Promise<ModelStage>;
}

export const contractAnswer = 'Hello wörld 你好 😀';
/** Must not appear in any refusal; give it as key and let the other side say it too. */
export const contractSecret = 'SECRET-4711';
export const contractPrompt = `Say hello, ${contractSecret}\n  你好 😀 @@ -1 @@ "quoted" \\n`;

const patient = { firstByteMs: 50_000, totalMs: 50_000 };

const refusals: readonly (readonly [ModelBehaviour, ErrorCode])[] = [
  ['empty', 'MODEL_ANSWER_INVALID'],
  ['malformed', 'MODEL_ANSWER_INVALID'],
  ['key-refused', 'MODEL_NOT_CONFIGURED'],
  ['unknown-model', 'MODEL_NOT_CONFIGURED'],
  ['rate-limited', 'MODEL_UNAVAILABLE'],
  ['huge', 'MODEL_ANSWER_INVALID'],
];

export function modelContract(name: string, ground: ModelGround): void {
  const promise = (
    title: string,
    behaviour: ModelBehaviour,
    play: (stage: ModelStage, tools: ReturnType<typeof toolsFor>) => Promise<void>,
  ) => {
    if (!ground.behaviours.includes(behaviour)) return;
    it(title, async () => {
      const stage = await ground.stage(behaviour);
      await play(stage, toolsFor(stage));
      await stage.close();
    });
  };

  describe.concurrent(`model contract: ${name}`, () => {
    promise(
      'answers with the whole text, and streams just that before [agent.run]',
      'answer',
      async ({ received }, { run, spoken }) => {
        const answer = await run();
        expect(answer.text).toBe(contractAnswer);
        expect(spoken.join('')).toBe(contractAnswer);
        expect(['stop', 'unknown']).toContain(answer.finish);
        for (const count of Object.values(answer.usage ?? {}))
          expect(Number.isSafeInteger(count) && count >= 0).toBe(true);
        if (received !== undefined) expect(received()).toEqual([contractPrompt]);
      },
    );

    promise('answers runs at once without mixing them', 'answer', async (_, { run }) => {
      const answers = await Promise.all([run(), run(), run()]);
      expect(answers.map(({ text }) => text)).toEqual([contractAnswer, contractAnswer, contractAnswer]);
    });

    promise(
      'refuses a prompt without words before anything is sent',
      'answer',
      async ({ received }, { refusal }) => {
        expect(await refusal({ prompt: ' \n' })).toMatchObject({ code: 'INVALID_ARGUMENT' });
        if (received !== undefined) expect(received()).toEqual([]);
      },
    );

    promise(
      'sends nothing when it was cancelled before [agent.run]',
      'answer',
      async ({ received }, { refusal }) => {
        expect(await refusal({}, { signal: AbortSignal.abort() })).toMatchObject({ code: 'CANCELLED' });
        if (received !== undefined) expect(received()).toEqual([]);
      },
    );

    for (const [behaviour, code] of refusals) {
      promise(
        `refuses with ${code} when the other side shows ${behaviour}`,
        behaviour,
        async (_, { refusal }) => {
          expect(await refusal()).toMatchObject({ code });
        },
      );
    }

    promise('never takes a broken-off answer for a whole one', 'cut', async (_, { refusal }) => {
      expect((await refusal()).code).toMatch(/^MODEL_(?:UNAVAILABLE|ANSWER_INVALID)$/);
    });

    promise('tells a late start from a late end', 'never', async (_, { refusal }) => {
      const timeouts = { firstByteMs: 500, totalMs: 50_000 };
      expect(await refusal({ timeouts })).toMatchObject({
        code: 'TIMEOUT',
        details: { phase: 'first-byte' },
      });
    });

    promise('ends a run that begins and falls silent', 'begin-hang', async (_, { refusal }) => {
      const timeouts = { firstByteMs: 50_000, totalMs: 800 };
      expect(await refusal({ timeouts })).toMatchObject({ code: 'TIMEOUT', details: { phase: 'total' } });
    });

    promise('ends a run that never comes to an end', 'endless', async (_, { refusal }) => {
      const timeouts = { firstByteMs: 50_000, totalMs: 800 };
      expect((await refusal({ timeouts })).code).toMatch(/^(?:TIMEOUT|MODEL_ANSWER_INVALID)$/);
    });

    promise(
      'is cancelled in the middle of its words, and by the clock of the caller',
      'begin-hang',
      async (_, { refusal }) => {
        const controller = new AbortController();
        const cancelled = await refusal({}, { signal: controller.signal, onText: () => controller.abort() });
        expect(cancelled).toMatchObject({ code: 'CANCELLED' });
        const late = await refusal({}, { signal: AbortSignal.timeout(700) });
        expect(late).toMatchObject({ code: 'TIMEOUT' });
      },
    );

    promise('passes on what its listener throws, and stops', 'begin-hang', async ({ model }) => {
      const broken = new GalleyError('INTERNAL', 'The listener broke.');
      const onText = () => {
        throw broken;
      };
      const { signal } = new AbortController();
      await expect(model.run({ prompt: contractPrompt, timeouts: patient }, { signal, onText })).rejects.toBe(
        broken,
      );
    });
  });
}

function toolsFor({ model }: ModelStage) {
  const spoken: string[] = [];
  const run = (request: Partial<ModelRequest> = {}, options: Partial<RunOptions> = {}) =>
    model.run(
      { prompt: contractPrompt, timeouts: patient, ...request },
      { signal: new AbortController().signal, onText: (text) => spoken.push(text), ...options },
    );
  const refusal = async (request: Partial<ModelRequest> = {}, options: Partial<RunOptions> = {}) => {
    const error = await run(request, options).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(GalleyError);
    const { stack, ...open } = error as GalleyError;
    expect(JSON.stringify([error, open, stack])).not.toContain(contractSecret);
    return JSON.parse(JSON.stringify(error)) as { code: ErrorCode; details?: Record<string, unknown> };
  };
  return { run, refusal, spoken };
}
