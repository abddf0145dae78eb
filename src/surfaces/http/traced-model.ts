// A model whose runs are spans below the call that asked for them: which model, how many tokens, how it failed. Never content.
import { type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { toGalleyError } from '../../core/model/error.js';
import { galleyVersion } from '../../core/model/version.js';
import type { Model, ModelAnswer } from '../../models/contract/model.js';

/** Names that the conventions spell otherwise; agent CLIs are known by whose models they run. */
const providers: Readonly<Record<string, string>> = {
  google: 'gcp.gemini',
  gemini: 'gcp.gemini',
  mistral: 'mistral_ai',
  xai: 'x_ai',
  claude: 'anthropic',
  codex: 'openai',
};

export function tracedModel(model: Model): Model {
  const { operation, provider, wanted } = whoIs(model);
  const attributes = {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': provider,
    ...(wanted === undefined ? {} : { 'gen_ai.request.model': wanted }),
  };
  const name = `${operation} ${wanted ?? provider}`;
  return {
    ...model,
    run(request, options) {
      const tracer = trace.getTracer('galley', galleyVersion);
      return tracer.startActiveSpan(name, { kind: SpanKind.CLIENT, attributes }, async (span) => {
        try {
          const answer = await model.run(request, options);
          noteAnswer(span, answer);
          return answer;
        } catch (thrown) {
          span
            .setAttribute('error.type', toGalleyError(thrown).code)
            .setStatus({ code: SpanStatusCode.ERROR });
          throw thrown;
        } finally {
          span.end();
        }
      });
    },
  };
}

/** What a model says about itself, if it reads like a name. */
export function noteAnswer(span: Span, { model, usage }: Partial<ModelAnswer>): void {
  if (model !== undefined && isName(model)) span.setAttribute('gen_ai.response.model', model);
  if (usage === undefined) return;
  const { inputTokens, outputTokens, cachedInputTokens } = usage;
  span.setAttributes({
    'gen_ai.usage.input_tokens': inputTokens,
    'gen_ai.usage.output_tokens': outputTokens,
  });
  if (cachedInputTokens !== undefined)
    span.setAttribute('gen_ai.usage.cache_read.input_tokens', cachedInputTokens);
}

const isName = (text: string) => /^[\w.:@+-]+(?:\/[\w.:@+-]+)?$/.test(text) && text.length <= 100;

function whoIs({ id, family }: Model): { operation: string; provider: string; wanted: string | undefined } {
  // Recorded answers are known by the path of a file.
  if (family === 'replay') return { operation: 'chat', provider: 'replay', wanted: undefined };
  const [, first = '', rest = ''] =
    (family === 'cli' ? /^cli\/([^:]+):?(.*)$/ : /^([^/]+)\/?(.*)$/).exec(id) ?? [];
  return {
    operation: family === 'cli' ? 'invoke_agent' : 'chat',
    provider: providers[first] ?? first,
    wanted: isName(rest) ? rest : undefined,
  };
}
