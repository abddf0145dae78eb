import { type Span, type SpanOptions, type TracerProvider, trace } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GalleyError } from '../../core/model/error.js';
import type { Model } from '../../models/contract/model.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import { tracedModel } from './telemetry.js';

const spans: Record<string, unknown>[] = [];
const options = { signal: new AbortController().signal };
const request = { prompt: 'SECRET', timeouts: { firstByteMs: 1000, totalMs: 1000 } };

beforeEach(() => {
  spans.length = 0;
  const startActiveSpan = (name: string, { attributes }: SpanOptions, work: (span: Span) => unknown) => {
    const seen: Record<string, unknown> = { name, ...attributes };
    spans.push(seen);
    const span = {
      setAttribute: (key: string, value: unknown) => span.setAttributes({ [key]: value }),
      setAttributes: (more: object) => Object.assign(seen, more) && span,
      setStatus: () => span,
      end: () => undefined,
    };
    return work(span as unknown as Span);
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startActiveSpan }) } as unknown as TracerProvider);
});
afterEach(() => trace.disable());

const named = (id: string, family: Model['family'], model?: string): Model => ({
  ...scriptedModel([{ text: 'SECRET', ...(model === undefined ? {} : { model }) }]),
  id,
  family,
});

describe('the span of a model call', () => {
  it.each<[Model, string, string, string | undefined]>([
    [named('anthropic/claude-x', 'http'), 'chat claude-x', 'anthropic', 'claude-x'],
    [named('google/gemini-x', 'http'), 'chat gemini-x', 'gcp.gemini', 'gemini-x'],
    [named('openrouter/qwen/qwen-x', 'http'), 'chat qwen/qwen-x', 'openrouter', 'qwen/qwen-x'],
    [named('cli/claude', 'cli'), 'invoke_agent anthropic', 'anthropic', undefined],
    [named('cli/codex:gpt-x', 'cli'), 'invoke_agent gpt-x', 'openai', 'gpt-x'],
    [named('replay/SECRET/answers.json', 'replay'), 'chat replay', 'replay', undefined],
    [named('custom/SECRET words of a user', 'http'), 'chat custom', 'custom', undefined],
    [named('openai/gpt-x', 'http', 'SECRET, said by a model'), 'chat gpt-x', 'openai', 'gpt-x'],
  ])('says who was asked, and no more', async (model, name, provider, wanted) => {
    const traced = tracedModel(model);
    expect(traced).toMatchObject({ id: model.id, family: model.family });
    expect(await traced.run(request, options)).toMatchObject({ text: 'SECRET' });
    expect(spans).toMatchObject([{ name, 'gen_ai.provider.name': provider }]);
    expect(spans[0]?.['gen_ai.request.model']).toBe(wanted);
    expect(JSON.stringify(spans)).not.toContain('SECRET');
  });

  it('says how it failed by its code', async () => {
    const model = scriptedModel([
      () => Promise.reject(new GalleyError('MODEL_REFUSED', 'SECRET', { details: { why: 'SECRET' } })),
    ]);
    await expect(tracedModel(model).run(request, options)).rejects.toMatchObject({ code: 'MODEL_REFUSED' });
    expect(spans).toMatchObject([{ 'error.type': 'MODEL_REFUSED' }]);
    expect(JSON.stringify(spans)).not.toContain('SECRET');
  });
});
