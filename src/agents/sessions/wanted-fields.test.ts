import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldReader, type WantedFields } from './wanted-fields.js';

const wanted: WantedFields = {
  type: 'repeated',
  a: 'value',
  ünïcode: 'value',
  within: { a: 'value', type: 'repeated', deeper: { a: 'value' } },
};

/** What is left of a whole value: the law by which the reader is judged. */
function pruned(value: unknown, fields: WantedFields): unknown {
  if (Array.isArray(value)) return value.map((one) => pruned(one, fields));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, own]): [string, unknown][] => {
      const kind = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (kind === undefined) return [];
      return [[name, typeof kind === 'string' ? own : pruned(own, kind)]];
    }),
  );
}

const read = fieldReader(wanted);
const readText = (text: string) => {
  // As in a file: other lines stand before and behind.
  const bytes = Buffer.from(`{"type":"x"}\n${text}\n{"a":1}\n`);
  return read(bytes, 13, 13 + Buffer.byteLength(text));
};

const name = fc.constantFrom(...Object.keys(wanted), 'other', 'typo', 'b', 'with"in', 'deeper');
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('user', 'assistant', '"}', '\\', '汇率\n"', '{"type":"x"}'),
);
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    texts,
    fc.double({ noDefaultInfinity: true, noNaN: true }),
    fc.nat(),
    fc.constantFrom(null, true, false, 0, -0.5, 1e21, 2 ** 53 + 2),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const lines = fc.dictionary(name, values, { maxKeys: 6, noNullPrototype: true });

describe('the wanted fields of a line', () => {
  it('read as if the whole line had been parsed', () => {
    fc.assert(
      fc.property(lines, fc.constantFrom(undefined, 1, '\t'), (line, space) => {
        // A file has no line breaks within a line.
        const text = JSON.stringify(line, null, space).replace(/\n/g, ' ');
        expect(readText(text)).toEqual(pruned(JSON.parse(text), wanted));
      }),
      { seed: 16, numRuns: 1_000 },
    );
  });

  it('are none in a line that was cut off', () => {
    let cuts = 0;
    fc.assert(
      fc.property(lines, fc.nat(), (line, at) => {
        const bytes = Buffer.from(JSON.stringify(line));
        const cut = at % bytes.length;
        cuts += Number(cut > 1);
        expect(read(bytes, 0, cut)).toBeUndefined();
        expect(read(Buffer.concat([bytes.subarray(0, cut), Buffer.from('\n{}')]), 0, cut)).toBeUndefined();
      }),
      { seed: 16, numRuns: 500 },
    );
    expect(cuts).toBeGreaterThan(300);
  });

  it.each([
    ['[1]'],
    ['"text"'],
    ['7'],
    ['{"a":1}}'],
    ['{"a":1} x'],
    ['{"a" 1}'],
    ['{"a":}'],
    ['{"a":tru}'],
    ['{"a":01}'],
    ['{"a":"\\x"}'],
    ['{a:1}'],
    ['{"a":1,}'],
    ['{"other":{"a":1}'],
    ['{"within":{"a":1,"type":"us{"type":"user"}'],
    [`{"within":${'{"deeper":'.repeat(5_000)}`],
    [`{"within":${'['.repeat(5_000)}`],
  ])('are none in %s', (text) => {
    expect(readText(text)).toBeUndefined();
  });

  it('may be spelled with escapes, and the last of a name counts', () => {
    expect(readText('{"\\u0061":1,"t\\u0079pe":"user"}')).toEqual({ a: 1, type: 'user' });
    expect(readText('{"a":1,"a":[2]}')).toEqual({ a: [2] });
  });
});
