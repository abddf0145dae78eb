// What operations take and give as JSON Schema: the one rendering that every door publishes.
import * as z from 'zod';
import { nouns } from './answers/noun.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

export function requestSchema(input: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return schema;
}

export interface DescribedAnswer {
  /** A reference when the answer is a thing with a name. */
  readonly schema: JsonSchema;
  readonly nouns: Readonly<Record<string, JsonSchema>>;
}

/** References point to `#/$defs/`. */
export function describeAnswer(output: z.ZodType): DescribedAnswer {
  const {
    $schema: _,
    $defs = {},
    ...schema
  } = z.toJSONSchema(output, {
    metadata: nouns,
    override: ({ zodSchema, jsonSchema }) => {
      const description = z.globalRegistry.get(zodSchema)?.description;
      if (description !== undefined) jsonSchema.description = description;
      delete jsonSchema.id;
      // What every number of this language is anyway.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return { schema, nouns: $defs as DescribedAnswer['nouns'] };
}

/** In one piece, an object at its root, as tools ask for it. */
export function answerSchema(output: z.ZodType): JsonSchema {
  const described = describeAnswer(output);
  const { $ref } = described.schema;
  const name = typeof $ref === 'string' ? $ref.slice('#/$defs/'.length) : undefined;
  const { [name ?? '']: own, ...others } = described.nouns;
  const { type: __, ...root } = own ?? described.schema;
  return { type: 'object', ...root, ...(Object.keys(others).length === 0 ? {} : { $defs: others }) };
}
