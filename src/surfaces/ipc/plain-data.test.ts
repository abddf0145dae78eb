import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainData } from './plain-data.js';

class Person {
  name = 'x';
}

describe('plain data', () => {
  it('is any JSON value, copied', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const source = JSON.parse(JSON.stringify(value), (_, part) => part) as unknown;
        fc.pre(!JSON.stringify(value).includes('"__proto__"'));
        const copied = plainData(source);
        expect(JSON.stringify(copied)).toBe(JSON.stringify(source));
        if (typeof copied === 'object' && copied !== null) expect(copied).not.toBe(source);
      }),
    );
  });

  it('is what a clone of it is', () => {
    const value = { a: [1, { b: undefined, c: null }], d: 'x' };
    expect(plainData(structuredClone(value))).toEqual(value);
    expect(plainData(Object.assign(Object.create(null), { a: 1 }))).toEqual({ a: 1 });
  });

  const ring: Record<string, unknown> = {};
  ring.ring = ring;
  const listWithName = Object.assign([1], { name: 'x' });
  let ran = 0;
  const surprises: [string, unknown, string][] = [
    ['nothing at all', undefined, 'request'],
    ['a function', { f: () => 1 }, 'f'],
    ['a symbol', { s: Symbol('x') }, 's'],
    ['a big integer', { n: 1n }, 'n'],
    ['an instance of a class', { who: new Person() }, 'who'],
    ['a date', { at: new Date(0) }, 'at'],
    ['a map', { map: new Map() }, 'map'],
    ['bytes', { bytes: new Uint8Array(2) }, 'bytes'],
    ['an error', { list: [new RangeError('x')] }, 'list[0]'],
    ['a prototype by key', JSON.parse('{"a":{"__proto__":{"admin":true}}}'), 'a'],
    ['a symbol as key', { a: { [Symbol.iterator]: 1 } }, 'a'],
    ['a prototype by hand', Object.create({ admin: true }), 'request'],
    ['a ring', ring, 'ring.ring.ring.ring.ring.ring.ring.ring.ring.ring.ring.ring.ring.ring.ring.ring.'],
    ['a list with a name', { list: listWithName }, 'list'],
    ['a list with holes', { list: new Array(3) }, 'list'],
    ['a list of another class', { list: new (class extends Array {})() }, 'list'],
    ['a hidden property', { a: Object.defineProperty({}, 'b', { value: 1 }) }, 'a.b'],
    [
      'an accessor',
      {
        get a() {
          ran += 1;
          return 1;
        },
      },
      'a',
    ],
  ];

  it.each(surprises)('is not %s', (_, value, field) => {
    expect(() => plainData(value)).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', details: { field } }),
    );
    expect(ran).toBe(0);
  });

  it('is not a small message that stands for a huge one', () => {
    let doubled: unknown[] = ['x'];
    for (let level = 0; level < 60; level += 1) doubled = [doubled, doubled];
    const long = 'x'.repeat(1_000_000);
    for (const value of [structuredClone({ doubled }), { texts: Array.from({ length: 100 }, () => long) }])
      expect(() => plainData(value)).toThrow(expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }));
    const shared = { from: 'a', content: 'b' };
    expect(plainData({ twice: [shared, shared] })).toEqual({ twice: [shared, shared] });
  });

  it('never reaches a prototype', () => {
    plainData({ constructor: { prototype: { polluted: true } }, prototype: 1 });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
