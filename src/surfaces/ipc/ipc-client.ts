// What a caller on the other side of a channel holds: the operations by id, with their own types.
import type { EngineCall } from '../engine.js';
import type { AnswerOf, OperationId, RequestOf } from './operation-types.js';

export interface IpcClient {
  call<Id extends OperationId>(id: Id, request: RequestOf<Id>, options?: EngineCall): Promise<AnswerOf<Id>>;
  call(id: string, request: unknown, options?: EngineCall): Promise<unknown>;
}
