// The lines marked as errors are held by the compiler: each is one way in which a schema and a type can part.
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AssembledTurn } from '../agents/assemble-turn.js';
import type { Receipt } from '../core/model/receipt.js';
import { answer } from './published-schema.js';
import type { AnswerOf } from './table.js';

interface Line {
  readonly path: string;
  readonly note?: string;
  readonly sign: 'plus' | 'minus';
  readonly old: string | undefined;
}

interface Report {
  readonly lines: readonly Line[];
  readonly place: { readonly kind: 'here' } | { readonly kind: 'there'; readonly why: string };
  readonly more: Readonly<Record<string, unknown>>;
}

const line = {
  path: z.string(),
  note: z.string().optional(),
  sign: z.enum(['plus', 'minus']),
  old: z.string().optional(),
};
const here = z.strictObject({ kind: z.literal('here') });
const there = { kind: z.literal('there'), why: z.string() };
const rest = {
  place: z.discriminatedUnion('kind', [here, z.strictObject(there)]),
  more: z.record(z.string(), z.unknown()),
};
const linesOf = <Shape extends z.ZodRawShape>(shape: Shape) => z.array(z.strictObject(shape));

describe('the type of an answer', () => {
  it('is the one its room declares, and readonly', () => {
    const turn: AnswerOf<'agents:assemble'> = {
      prompt: 'Hello',
      systemFlag: undefined,
      receipt: {} as Receipt,
    };
    const same: AssembledTurn = turn;
    const change = () => {
      // @ts-expect-error nobody changes an answer
      turn.prompt = '';
    };
    expect([same.prompt, typeof change]).toEqual(['Hello', 'function']);
  });
});

describe('the schema of an answer', () => {
  it('is taken when it says what the type says', () => {
    const schema = answer<Report>()(z.strictObject({ lines: linesOf(line), ...rest }));
    const report: Report = { lines: [], place: { kind: 'here' }, more: {} };
    expect(schema.parse(report)).toEqual(report);
    expect(schema.safeParse({ ...report, extra: 1 }).success).toBe(false);
  });

  it('does not compile when one of the two has more', () => {
    const { path: _, ...pathless } = line;
    const { note: __, ...noteless } = line;
    // @ts-expect-error a field of the type is missing
    answer<Report>()(z.strictObject({ lines: linesOf(pathless), ...rest }));
    // @ts-expect-error an optional field of the type is missing
    answer<Report>()(z.strictObject({ lines: linesOf(noteless), ...rest }));
    // @ts-expect-error the type has no such field
    answer<Report>()(z.strictObject({ lines: linesOf({ ...line, extra: z.string() }), ...rest }));
    // @ts-expect-error the type has no such field, optional or not
    answer<Report>()(z.strictObject({ lines: linesOf({ ...line, extra: z.string().optional() }), ...rest }));
    expect(Object.keys(line)).toHaveLength(4);
  });

  it('does not compile when the two differ in what a field holds', () => {
    const noted = { ...line, note: z.string() };
    const signless = { ...line, sign: z.enum(['plus']) };
    const signed = { ...line, sign: z.enum(['plus', 'minus', 'none']) };
    // @ts-expect-error optional in the type, required in the schema
    answer<Report>()(z.strictObject({ lines: linesOf(noted), ...rest }));
    // @ts-expect-error required in the type, optional in the schema
    answer<Report>()(z.strictObject({ lines: linesOf({ ...line, path: z.string().optional() }), ...rest }));
    // @ts-expect-error a value is missing
    answer<Report>()(z.strictObject({ lines: linesOf(signless), ...rest }));
    // @ts-expect-error a value too many
    answer<Report>()(z.strictObject({ lines: linesOf(signed), ...rest }));
    // @ts-expect-error one of the alternatives is missing
    answer<Report>()(z.strictObject({ lines: linesOf(line), ...rest, place: here }));
    // @ts-expect-error what the type knows, the schema leaves open
    answer<Report>()(z.strictObject({ lines: z.array(z.unknown()), ...rest }));
    expect(Object.keys(there)).toEqual(['kind', 'why']);
  });
});
