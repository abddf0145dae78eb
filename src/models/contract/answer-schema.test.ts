import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { answerSchema } from './answer-schema.js';

describe('the form of an answer', () => {
  it('says nothing a model does not go by, and keeps every bound that somebody meant', () => {
    const form = z.strictObject({
      line: z.int().min(1).describe('Counted from one'),
      shift: z.int(),
      sure: z.number().min(0).max(1),
      list: z.array(z.strictObject({ at: z.int().min(1).max(9) })),
    });
    expect(answerSchema(form)).toEqual({
      type: 'object',
      properties: {
        line: { type: 'integer', minimum: 1, description: 'Counted from one' },
        shift: { type: 'integer' },
        sure: { type: 'number', minimum: 0, maximum: 1 },
        list: {
          type: 'array',
          items: {
            type: 'object',
            properties: { at: { type: 'integer', minimum: 1, maximum: 9 } },
            required: ['at'],
            additionalProperties: false,
          },
        },
      },
      required: ['line', 'shift', 'sure', 'list'],
      additionalProperties: false,
    });
  });
});
