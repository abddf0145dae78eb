// One span per call where OpenTelemetry is registered, by `galley serve` or by the embedding application; without it, nothing.
// Never any content.
import type { IncomingHttpHeaders } from 'node:http';
import { type Context, context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { errorTable, toGalleyError } from '../../core/model/error.js';
import { galleyVersion } from '../../core/model/version.js';
import type { ModelAnswer } from '../../models/contract/model.js';
import type { Operation } from '../../operations/operation.js';
import { noteAnswer } from './traced-model.js';

/** Where a call belongs: asked for when it arrives, so that it makes no difference after whom it has its turn. */
export function placeOfCall(headers: IncomingHttpHeaders): Context {
  return propagation.extract(context.active(), headers);
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
