// A refusal as clients of OpenAI's protocol read it: their shape, their words for what they act upon, our message.
import type { ErrorCode, GalleyError } from '../../core/model/error.js';
import { httpRefusal } from '../http/response.js';

interface Spoken {
  readonly type: string;
  readonly code: string;
  readonly status?: number;
}

const byCode: Partial<Record<ErrorCode, Spoken>> = {
  UNAUTHENTICATED: { type: 'invalid_request_error', code: 'invalid_api_key' },
  NOT_FOUND: { type: 'invalid_request_error', code: 'model_not_found' },
  CONTEXT_BUDGET_INFEASIBLE: { type: 'invalid_request_error', code: 'context_length_exceeded', status: 400 },
  CONTEXT_BACKPRESSURE: { type: 'requests', code: 'rate_limit_exceeded' },
  // The client can do nothing about it, and would look for its mistake.
  MODEL_NOT_CONFIGURED: { type: 'server_error', code: 'model_not_configured', status: 500 },
  COST_CEILING_REACHED: { type: 'insufficient_quota', code: 'insufficient_quota' },
};

const crowdedProvider: Spoken = { type: 'requests', code: 'rate_limit_exceeded', status: 429 };

/** A provider that is asked too often is told as such: clients know what to do then. */
function spokenOf({ code, details }: GalleyError): Spoken | undefined {
  return code === 'MODEL_UNAVAILABLE' && details?.status === 429 ? crowdedProvider : byCode[code];
}

/** Where a field of ours has another name there. */
const fields: Readonly<Record<string, string>> = {
  maxOutputTokens: 'max_tokens',
  'sampling.topP': 'top_p',
  'sampling.topK': 'top_k',
  'sampling.presencePenalty': 'presence_penalty',
  'sampling.frequencyPenalty': 'frequency_penalty',
  contextTokens: 'x-galley-budget',
  withCode: 'x-galley-code',
  projectId: 'model',
  documentId: 'model',
};

export function openAiField(field: string): string {
  return fields[field] ?? fields[`sampling.${field}`] ?? field.replace(/^sampling\./, '');
}

export function openAiRefusal(thrown: unknown) {
  const { error, status, headers } = httpRefusal(thrown);
  const spoken = spokenOf(error);
  const answered = spoken?.status ?? status;
  const field = error.details?.field;
  const { message } = error;
  return {
    status: answered,
    // Their clients ask again by themselves, unless told that it would not help.
    headers: { ...headers, ...(error.retryable ? {} : { 'x-should-retry': 'false' }) },
    body: JSON.stringify({
      error: {
        message,
        type: spoken?.type ?? (answered < 500 ? 'invalid_request_error' : 'server_error'),
        param: typeof field === 'string' ? openAiField(field) : null,
        code: spoken?.code ?? error.code.toLowerCase(),
      },
    }),
  };
}
