// What it means for the caller when a provider gave no answer: one line with the next step. Only names, codes and counts
// leave this file, nothing of what was sent or came back.
import { type ErrorCode, type ErrorDetails, GalleyError } from '../../core/model/error.js';
import type { Connection } from './connection.js';

export interface CallTarget {
  readonly connection: Connection;
  readonly model: string;
}

interface Meaning {
  readonly code: ErrorCode;
  /** May pass by itself. */
  readonly passing?: true;
  says(target: CallTarget): string;
}

const meanings = {
  authentication: {
    code: 'MODEL_NOT_CONFIGURED',
    says: ({ connection: { keyVariable, endpoint } }) =>
      endpoint.signIn === undefined
        ? `refused the key; set ${keyVariable} to a valid one`
        : `does not let this call in; check its rights, or ${endpoint.signIn}`,
  },
  payment: {
    code: 'MODEL_REFUSED',
    says: () => 'says the account has no credit left; add some or name another model',
  },
  'unknown-model': {
    code: 'MODEL_NOT_CONFIGURED',
    says: ({ connection: { endpoint } }) =>
      `does not know this model or address; check the model’s name${endpoint.name === 'ollama' ? ', pull it first' : ''} and ${endpoint.baseUrlVariables.join(' or ')}`,
  },
  'bad-request': {
    code: 'MODEL_REFUSED',
    says: () => 'rejected the request; the prompt may be too long for the model, try a smaller budget',
  },
  'rate-limit': {
    code: 'MODEL_UNAVAILABLE',
    passing: true,
    says: () => 'asks to slow down; try again later or with less at a time',
  },
  unavailable: {
    code: 'MODEL_UNAVAILABLE',
    passing: true,
    says: () => 'failed on its side; try again later',
  },
  connection: {
    code: 'MODEL_UNAVAILABLE',
    passing: true,
    says: ({ connection: { endpoint } }) =>
      `could not be reached; check the network and ${endpoint.baseUrlVariables.join(' or ')}`,
  },
  redirect: {
    code: 'MODEL_UNAVAILABLE',
    says: ({ connection: { endpoint } }) =>
      `redirects elsewhere, where no key is sent; set ${endpoint.baseUrlVariables.join(' or ')} to the final address`,
  },
  cut: {
    code: 'MODEL_UNAVAILABLE',
    passing: true,
    says: () => 'stopped in the middle of its answer; try again',
  },
  malformed: {
    code: 'MODEL_ANSWER_INVALID',
    says: ({ connection: { endpoint } }) =>
      `answered in a form that is not its protocol; check ${endpoint.baseUrlVariables.join(' or ')} or try again`,
  },
  empty: { code: 'MODEL_ANSWER_INVALID', says: () => 'gave an empty answer; try again' },
  'no-room': {
    code: 'MODEL_ANSWER_INVALID',
    says: () => 'reached its output limit before the answer began; allow more output tokens',
  },
  refused: { code: 'MODEL_REFUSED', says: () => 'declined to answer' },
  'too-large': {
    code: 'MODEL_ANSWER_INVALID',
    says: () => 'wrote more than an answer may hold; ask for less',
  },
} satisfies Record<string, Meaning>;

export type CallFailureReason = keyof typeof meanings;

export function callFailure(
  target: CallTarget,
  reason: CallFailureReason,
  details: ErrorDetails = {},
): GalleyError {
  const { code, says }: Meaning = meanings[reason];
  const { endpoint } = target.connection;
  return new GalleyError(code, `${endpoint.title} ${says(target)}.`, {
    details: { provider: endpoint.name, reason, ...details },
  });
}

/** Whether the same call may succeed a little later. */
export function isPassing(error: GalleyError): boolean {
  const reason = error.details?.reason;
  const meaning: Meaning | undefined =
    typeof reason === 'string' && Object.hasOwn(meanings, reason)
      ? meanings[reason as CallFailureReason]
      : undefined;
  return meaning?.passing === true;
}
