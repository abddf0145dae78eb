// What both sides of a channel agree on: its names, the client a caller holds, and the answer. An error thrown across a channel
// would arrive as a sentence; as a value it keeps its code.
import {
  type ErrorCode,
  type ErrorDetails,
  errorTable,
  GalleyError,
  toGalleyError,
} from '../../core/model/error.js';
import type { AnswerOf, OperationId, RequestOf } from '../../operations/table.js';
import type { Engine, EngineCall } from '../engine.js';
import { plainData } from './plain-data.js';

/** What a caller on the other side of a channel holds: the operations by id, with their own types. */
export interface IpcClient {
  /** Ids that are only known at run time take and give anything. */
  call<Id extends string>(
    id: Id,
    request: Id extends OperationId ? RequestOf<Id> : unknown,
    options?: EngineCall,
  ): Promise<Id extends OperationId ? AnswerOf<Id> : unknown>;
}

export type IpcAnswer =
  | { readonly ok: true; readonly data: unknown }
  | {
      readonly ok: false;
      readonly error: { readonly code: string; readonly message: string; readonly details?: object };
    };

interface IpcCall {
  readonly operation: string;
  readonly request: unknown;
}

export async function answerIpcCall(
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

/** The channels beside those of the operations. */
export const ipcChannels = {
  cancel: 'galley:cancel',
  text: 'galley:text',
  progress: 'galley:progress',
  event: 'galley:event',
} as const;
