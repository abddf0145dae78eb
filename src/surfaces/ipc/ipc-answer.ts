// What a channel answers. An error thrown across a channel would arrive as a sentence; as a value it keeps its code.
import {
  type ErrorCode,
  type ErrorDetails,
  errorTable,
  GalleyError,
  toGalleyError,
} from '../../core/model/error.js';
import type { Engine, EngineCall } from '../engine.js';
import { plainData } from './plain-data.js';

export type IpcAnswer =
  | { readonly ok: true; readonly data: unknown }
  | {
      readonly ok: false;
      readonly error: { readonly code: string; readonly message: string; readonly details?: object };
    };

export interface IpcCall {
  readonly operation: string;
  readonly request: unknown;
}

export async function answerCall(
  engine: Engine,
  { operation, request }: IpcCall,
  options: EngineCall,
): Promise<IpcAnswer> {
  try {
    const answer = await engine.call(operation, plainData(request), options);
    return { ok: true, data: JSON.parse(JSON.stringify(answer ?? null)) as unknown };
  } catch (error) {
    return refusedAnswer(error);
  }
}

export function refusedAnswer(error: unknown): IpcAnswer {
  return { ok: false, error: toGalleyError(error).toJSON() };
}

/** The data of an answer, or its refusal as the error it was. */
export function openAnswer(answer: unknown): unknown {
  if (isAnswer(answer)) {
    if (answer.ok) return answer.data;
    const { code, message, details } = answer.error;
    const known: ErrorCode = Object.hasOwn(errorTable, code) ? (code as ErrorCode) : 'INTERNAL';
    throw new GalleyError(known, message, details === undefined ? {} : { details: details as ErrorDetails });
  }
  throw new GalleyError('INTERNAL', 'The other side of the channel does not speak like Galley.');
}

export function isAnswer(value: unknown): value is IpcAnswer {
  if (typeof value !== 'object' || value === null || !('ok' in value)) return false;
  if (value.ok === true) return 'data' in value;
  const error = value.ok === false && 'error' in value ? value.error : undefined;
  if (typeof error !== 'object' || error === null || !('code' in error) || !('message' in error))
    return false;
  return typeof error.code === 'string' && typeof error.message === 'string';
}
