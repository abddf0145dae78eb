// Requests and answers as JSON Schema, rendered one way for every door, with words for each field.
import * as z from 'zod';
import { answerWords, type FieldWords, requestWords } from './field-words.js';
import { namedSchemas } from './published-schema.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

export function requestSchema(input: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => plainNumbers(jsonSchema),
  });
  return withWords(schema, requestWords);
}

interface DescribedAnswer {
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
    metadata: namedSchemas,
    override: ({ zodSchema, jsonSchema }) => {
      const description = z.globalRegistry.get(zodSchema)?.description;
      if (description !== undefined) jsonSchema.description = description;
      delete jsonSchema.id;
      plainNumbers(jsonSchema);
    },
  });
  return {
    schema: withWords(schema, answerWords),
    nouns: withWords($defs as DescribedAnswer['nouns'], answerWords),
  };
}

/** In one piece, an object at its root, as tools ask for it. */
export function answerJsonSchema(output: z.ZodType): JsonSchema {
  const described = describeAnswer(output);
  const { $ref } = described.schema;
  const name = typeof $ref === 'string' ? $ref.slice('#/$defs/'.length) : undefined;
  const { [name ?? '']: own, ...others } = described.nouns;
  const { type: __, ...root } = own ?? described.schema;
  return { type: 'object', ...root, ...(Object.keys(others).length === 0 ? {} : { $defs: others }) };
}

/** Bounds that every number of this language has are not worth saying. */
function plainNumbers(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}

/** Every field that does not say itself what it is, with the words for its name. */
function withWords<Value>(value: Value, words: FieldWords, isFields = false): Value {
  if (Array.isArray(value)) return value.map((item) => withWords(item, words)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inside]: [string, unknown]) => {
    const worded = withWords(inside, words, !isFields && name === 'properties');
    const said = isFields && Object.hasOwn(words, name) ? { description: words[name] } : {};
    return [name, isFields ? { ...said, ...Object(worded) } : worded];
  });
  return Object.fromEntries(entries) as Value;
}
