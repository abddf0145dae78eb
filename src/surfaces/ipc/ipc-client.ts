// What a caller on the other side of a channel holds: the operations by id, with their own types.

import type { AnswerOf, OperationId, RequestOf } from '../../operations/operation-types.js';
import type { EngineCall } from '../engine.js';

export interface IpcClient {
  /** Ids that are only known at run time take and give anything. */
  call<Id extends string>(
    id: Id,
    request: Id extends OperationId ? RequestOf<Id> : unknown,
    options?: EngineCall,
  ): Promise<Id extends OperationId ? AnswerOf<Id> : unknown>;
}
