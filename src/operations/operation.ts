// An operation is declared once: what it takes, what it gives, what it needs, how it may refuse. Every door reads this.
import type { z } from 'zod';
import type { ErrorCode } from '../core/model/error-table.js';

/** What an operation may reach for; doors wire it. */
export interface OperationContext {
  readonly signal: AbortSignal;
}

export interface Operation<Input extends z.ZodType = z.ZodType, Output = unknown> {
  readonly id: string;
  readonly summary: string;
  readonly input: Input;
  /** What a caller over a network must have been granted. */
  readonly grant: 'read' | 'write' | 'inspect' | 'run';
  /** Codes it may refuse with, beside INVALID_ARGUMENT, PAYLOAD_TOO_LARGE, CANCELLED and INTERNAL. */
  readonly errors: readonly ErrorCode[];
  run(input: z.output<Input>, context: OperationContext): Promise<Output>;
}

export function defineOperation<Input extends z.ZodType, Output>(
  operation: Operation<Input, Output>,
): Operation<Input, Output> {
  return operation;
}
