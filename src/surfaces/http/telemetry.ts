// One span per call where OpenTelemetry is registered, by `galley serve` or by the embedding application; without it, nothing.
// Never any content.
import type { IncomingHttpHeaders } from 'node:http';
import {
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { errorTable, toGalleyError } from '../../core/model/error.js';
import { galleyVersion } from '../../core/model/version.js';
import type { Model, ModelAnswer } from '../../models/contract/model.js';
import type { Operation } from '../../operations/operation.js';

/** Where a call belongs: asked for when it arrives, so that it makes no difference after whom it has its turn. */
export function placeOfCall(headers: IncomingHttpHeaders): Context {
  return propagation.extract(context.active(), headers);
}

/** The running call as W3C trace context, for what goes on after it. */
export function traceOfCall(): string | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/** A span of its own for work that goes on in the trace of whoever asked for it. */
export async function withJobSpan<T extends { readonly status: string; readonly refusal?: unknown }>(
  { operation, trace: parent, attempts }: { operation: string; trace?: string; attempts: number },
  work: () => Promise<T>,
): Promise<T> {
  const place =
    parent === undefined ? context.active() : propagation.extract(context.active(), { traceparent: parent });
  const attributes = { 'galley.operation': operation, 'galley.job.attempt': attempts };
  const tracer = trace.getTracer('galley', galleyVersion);
  const options = { kind: SpanKind.CONSUMER, attributes };
  return tracer.startActiveSpan(`job ${operation}`, options, place, async (span) => {
    try {
      const outcome = await work();
      span.setAttribute('galley.job.status', outcome.status);
      const { code } = Object(outcome.refusal) as { readonly code?: string };
      if (code !== undefined) span.setAttribute('error.type', code);
      if (outcome.status === 'failed') span.setStatus({ code: SpanStatusCode.ERROR });
      return outcome;
    } finally {
      span.end();
    }
  });
}

export async function withSpan<T>(
  { id }: Operation,
  { parent, route }: { parent: Context; route: string },
  work: () => Promise<T>,
): Promise<T> {
  // Other operations ask models that have spans of their own.
  const isAgent = id === 'agents:run';
  const attributes = {
    'http.request.method': 'POST',
    'http.route': route,
    'galley.operation': id,
    ...(isAgent ? { 'gen_ai.operation.name': 'invoke_agent' } : {}),
  };
  const tracer = trace.getTracer('galley', galleyVersion);
  const options = { kind: SpanKind.SERVER, attributes };
  return tracer.startActiveSpan(`POST ${route}`, options, parent, async (span) => {
    try {
      const answer = await work();
      span.setAttribute('http.response.status_code', 200);
      if (isAgent) noteAnswer(span, answer as Partial<ModelAnswer>);
      return answer;
    } catch (thrown) {
      const { code } = toGalleyError(thrown);
      span.setAttributes({ 'error.type': code, 'http.response.status_code': errorTable[code].http });
      // A caller's mistake is not the server's failure.
      if (errorTable[code].http >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      throw thrown;
    } finally {
      span.end();
    }
  });
}

/** Names that the conventions spell otherwise; agent CLIs are known by whose models they run. */
const providers: Readonly<Record<string, string>> = {
  google: 'gcp.gemini',
  gemini: 'gcp.gemini',
  mistral: 'mistral_ai',
  xai: 'x_ai',
  claude: 'anthropic',
  codex: 'openai',
};

/**
 * A model whose runs are spans below the call that asked for them: which model, how many tokens, how it failed. Never content.
 */
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
function noteAnswer(span: Span, { model, usage }: Partial<ModelAnswer>): void {
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
