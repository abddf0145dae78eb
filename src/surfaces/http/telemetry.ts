// One span per call when the embedding application has registered OpenTelemetry; without it, nothing. Never any content.
import type { IncomingHttpHeaders } from 'node:http';
import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { toGalleyError } from '../../core/model/error.js';
import { errorTable } from '../../core/model/error-table.js';
import { galleyVersion } from '../../core/model/version.js';
import type { Operation } from '../../operations/operation.js';

export async function withSpan<T>(
  { id, grant }: Operation,
  { headers, route }: { headers: IncomingHttpHeaders; route: string },
  work: () => Promise<T>,
): Promise<T> {
  const parent = propagation.extract(context.active(), headers);
  const attributes = {
    'http.request.method': 'POST',
    'http.route': route,
    'galley.operation': id,
    ...(grant === 'run' ? { 'gen_ai.operation.name': 'invoke_agent' } : {}),
  };
  const tracer = trace.getTracer('galley', galleyVersion);
  const options = { kind: SpanKind.SERVER, attributes };
  return tracer.startActiveSpan(`POST ${route}`, options, parent, async (span) => {
    try {
      const answer = await work();
      span.setAttribute('http.response.status_code', 200);
      noteUsage(span, answer);
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

/** What a model says about itself, where an answer has it. */
function noteUsage(span: Span, answer: unknown): void {
  const { usage, model } = Object(answer) as { usage?: unknown; model?: unknown };
  const { inputTokens, outputTokens } = Object(usage) as { inputTokens?: unknown; outputTokens?: unknown };
  if (typeof model === 'string') span.setAttribute('gen_ai.response.model', model);
  if (typeof inputTokens === 'number') span.setAttribute('gen_ai.usage.input_tokens', inputTokens);
  if (typeof outputTokens === 'number') span.setAttribute('gen_ai.usage.output_tokens', outputTokens);
}
