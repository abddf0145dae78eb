// The provider's stream as an answer. Whole means: the provider said why it stopped; anything less is a failure.
import type { LanguageModelV3StreamPart, LanguageModelV3Usage } from '@ai-sdk/provider';
import { pick, pickText } from '../answer/json-fields.js';
import { type Finish, type ModelAnswer, maxAnswer, type Usage } from '../contract/model.js';
import { type CallTarget, callFailure } from './call-failure.js';

export interface Listener {
  /** The model begins to answer, in thought or in words. */
  onBegun(): void;
  onText(text: string): void;
}

type FinishPart = Extract<LanguageModelV3StreamPart, { type: 'finish' }>;

export async function readStreamedAnswer(
  stream: ReadableStream<LanguageModelV3StreamPart>,
  { target, signal, listener }: { target: CallTarget; signal: AbortSignal; listener: Listener },
): Promise<ModelAnswer> {
  const reader = stream.getReader();
  // A read that is pending ends with the reader, whatever the package does with the signal.
  const stop = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const words: string[] = [];
  let length = 0;
  let model: string | undefined;
  let finish: FinishPart | undefined;
  let notApplied: readonly string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      switch (value.type) {
        case 'text-delta':
          length += value.delta.length;
          if (length > maxAnswer) throw callFailure(target, 'too-large');
          words.push(value.delta);
          listener.onBegun();
          if (value.delta !== '') listener.onText(value.delta);
          break;
        case 'reasoning-delta':
          listener.onBegun();
          break;
        case 'stream-start':
          notApplied = value.warnings.flatMap((warning) =>
            warning.type === 'unsupported' ? [warning.feature] : [],
          );
          break;
        case 'response-metadata':
          model = value.modelId ?? model;
          break;
        case 'error':
          throw value.error;
        case 'raw':
          if (isRefusal(value.rawValue)) throw callFailure(target, 'refused');
          break;
        case 'finish':
          finish = value;
      }
    }
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
  const answer = wholeAnswer(target, words.join(''), { finish, model });
  return notApplied.length === 0 ? answer : { ...answer, notApplied };
}

function wholeAnswer(
  target: CallTarget,
  text: string,
  { finish: last, model }: { finish: FinishPart | undefined; model: string | undefined },
): ModelAnswer {
  const finish = last === undefined ? undefined : finishOf(target, last);
  if (last === undefined || finish === undefined) throw callFailure(target, 'cut');
  if (text.trim() === '') throw callFailure(target, finish === 'length' ? 'no-room' : 'empty');
  const usage = usageOf(last.usage);
  return {
    text,
    finish,
    ...(usage === undefined ? {} : { usage }),
    ...(model === undefined ? {} : { model }),
  };
}

/** Undefined when the provider never said that it was done. */
function finishOf(target: CallTarget, { finishReason: { unified, raw } }: FinishPart): Finish | undefined {
  switch (unified) {
    case 'stop':
    case 'length':
      return unified;
    case 'content-filter':
      throw callFailure(target, 'refused');
    case 'error':
      throw callFailure(target, 'unavailable');
    default:
      return raw === undefined ? undefined : 'unknown';
  }
}

/** OpenAI's way to decline, which its package passes over. */
function isRefusal(event: unknown): boolean {
  if (pickText(event, 'type')?.startsWith('response.refusal') === true) return true;
  const choices = pick(event, 'choices');
  return Array.isArray(choices) && (pickText(choices[0], 'delta', 'refusal') ?? '') !== '';
}

function usageOf({ inputTokens, outputTokens }: LanguageModelV3Usage): Usage | undefined {
  if (inputTokens.total === undefined || outputTokens.total === undefined) return undefined;
  const { cacheRead, cacheWrite } = inputTokens;
  return {
    inputTokens: inputTokens.total,
    outputTokens: outputTokens.total,
    ...(cacheRead === undefined ? {} : { cachedInputTokens: cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWriteTokens: cacheWrite }),
  };
}
