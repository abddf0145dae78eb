// The form of an answer as JSON Schema, with nothing in it that a model does not go by: the name of the standard, and bounds that only
// say how large a whole number may be in JavaScript. It stands in the text of every call.
import * as z from 'zod';
import type { AnswerShape } from './model.js';

export function answerSchema(form: z.ZodType): AnswerShape['schema'] {
  const { $schema: _, ...schema } = z.toJSONSchema(form, {
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return schema;
}
