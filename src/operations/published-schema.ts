// How answers are described: in zod, strict, beside each operation; every door publishes the one rendering below. A noun of another
// room keeps its own type, and the compiler holds the schema to it; any other answer has the type of its schema.
import * as z from 'zod';

/** Of our own, so that names of an application that uses the same library stay its own. */
const namedSchemas = z.registry<{ id: string }>();

/** Things that several answers hold have a name in what is published, and are described once under it. */
export function named<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  namedSchemas.add(schema, { id });
  return schema;
}

export const count = z.int().nonnegative();

export const timestamp = z.number().describe('milliseconds since 1970');

export const ratio = z.number().min(0).max(1);

/**
 * `answer<Type>()(schema)`: the schema, as one of exactly that type. A field that only one of the two has, optional or not, does not
 * compile.
 */
export function answer<Answer>() {
  return <Schema extends z.ZodType>(
    schema: IsSame<Plain<Answer>, Plain<z.output<Schema>>> extends true
      ? Schema
      : Mismatch<Differences<Plain<Answer>, Plain<z.output<Schema>>>>,
  ): z.ZodType<Answer> => schema as unknown as z.ZodType<Answer>;
}

/** An answer of the type its schema has, readonly. */
export function inferred<Schema extends z.ZodType>(schema: Schema): z.ZodType<Fixed<z.output<Schema>>> {
  return schema as unknown as z.ZodType<Fixed<z.output<Schema>>>;
}

type Fixed<T> = unknown extends T
  ? T
  : T extends AnswerLeaf
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Fixed<Item>[]
      : { readonly [Key in keyof T]: Fixed<T[Key]> };

export type JsonSchema = Readonly<Record<string, unknown>>;

export function requestSchema(input: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return schema;
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
      // What every number of this language is anyway.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return { schema, nouns: $defs as DescribedAnswer['nouns'] };
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

type AnswerLeaf = string | number | boolean | null | undefined | bigint;

/** As it is in JSON: nothing is readonly, and what may be undefined may be absent. */
type Plain<T> = unknown extends T
  ? unknown
  : T extends AnswerLeaf
    ? T
    : T extends readonly (infer Item)[]
      ? Plain<Item>[]
      : {
            -readonly [Key in keyof T as IsAbsent<T[Key]> extends true ? never : Key]: Plain<T[Key]>;
          } extends infer Present
        ? Merged<
            Present & {
              -readonly [Key in keyof T as IsAbsent<T[Key]> extends true ? Key : never]?: Plain<
                Exclude<T[Key], undefined>
              >;
            }
          >
        : never;

type IsAbsent<T> = unknown extends T ? false : undefined extends T ? true : false;
type Merged<T> = { [Key in keyof T]: T[Key] };
type IsSame<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

type IsRecord<T> = [T] extends [AnswerLeaf | readonly unknown[]]
  ? false
  : [T] extends [object]
    ? true
    : false;
type KeysOf<T> = T extends unknown ? keyof T & string : never;
type At<T, Key> = T extends unknown ? (Key extends keyof T ? T[Key] : never) : never;

/** Where two plain types differ, so that the compiler can say it. */
type Differences<A, B, Path extends string = ''> =
  IsSame<A, B> extends true
    ? never
    : [A, B] extends [(infer Left)[], (infer Right)[]]
      ? Differences<Left, Right, `${Path}[]`>
      : [IsRecord<A>, IsRecord<B>] extends [true, true]
        ? {
            [Key in KeysOf<A> | KeysOf<B>]: Key extends KeysOf<A> & KeysOf<B>
              ? Differences<Exclude<At<A, Key>, undefined>, Exclude<At<B, Key>, undefined>, `${Path}.${Key}`>
              : `${Path}.${Key}`;
          }[KeysOf<A> | KeysOf<B>] extends infer Found
          ? [Found] extends [never]
            ? `${Path} (which fields are optional)`
            : Found
          : never
        : Path;

interface Mismatch<Where> {
  readonly 'differs from the type of the answer at': Where;
}
