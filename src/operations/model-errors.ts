// How a model may fail whoever asks it.
import type { ErrorCode } from '../core/model/error.js';

export const modelErrors = [
  'TIMEOUT',
  'MODEL_NOT_CONFIGURED',
  'MODEL_UNAVAILABLE',
  'MODEL_REFUSED',
  'MODEL_ANSWER_INVALID',
] as const satisfies readonly ErrorCode[];
