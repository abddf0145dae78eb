// What each operation takes and gives, read off the table at compile time.
import type { z } from 'zod';
import type { Operation } from './operation.js';
import type { Operations } from './table.js';

export type OperationId = keyof Operations;

type Loaded<Id extends OperationId> = Awaited<ReturnType<Operations[Id]>>;

export type RequestOf<Id extends OperationId> =
  Loaded<Id> extends Operation<infer Input, infer _> ? z.input<Input> : never;

export type AnswerOf<Id extends OperationId> =
  Loaded<Id> extends Operation<infer _, infer Output> ? Output : never;
