// How answers are declared: in zod, strict, beside each operation; describe-schema.ts renders them for every door. A noun of another
// room keeps its own type, and the compiler holds the schema to it; any other answer has the type of its schema.
import * as z from 'zod';

/** Of our own, so that names of an application that uses the same library stay its own. */
export const namedSchemas = z.registry<{ id: string }>();

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
