import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesMeter } from '../../meters/plain-meters.js';
import { usableOf } from './budget.js';
import { byCodePoint, codePointBorder, utf8Length } from './code-points.js';
import { errorTable, GalleyError, isGalleyError, toGalleyError } from './error.js';
import { formatRef, isProjectRelative } from './fragment.js';

const text = fc.string({ unit: 'binary' });

describe('code points and bytes', () => {
  it('orders as code points do', () => {
    const units = fc.array(
      fc.constantFrom('a', 'z', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'),
    );
    fc.assert(
      fc.property(units, units, (a, b) => {
        const points = (parts: string[]) => parts.map((part) => part.codePointAt(0) ?? 0);
        const [left, right] = [points(a), points(b)];
        const at = left.findIndex((point, index) => point !== right[index]);
        const expected = at < 0 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? -1);
        expect(Math.sign(byCodePoint(a.join(''), b.join('')))).toBe(Math.sign(expected));
      }),
    );
  });

  it('counts the bytes an encoder would write', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(utf8Length(value)).toBe(Buffer.byteLength(value));
      }),
    );
    expect(utf8Length('\ud800x\udc00')).toBe(Buffer.byteLength('\ud800x\udc00'));
  });

  it('never splits a pair', () => {
    expect([0, 1, 2, 3].map((index) => codePointBorder('a😀b', index))).toEqual([0, 1, 1, 3]);
  });
});

describe('refs', () => {
  it('stay inside the project', () => {
    expect(['a/b.md', 'a..b.md', '.galley/x'].map(isProjectRelative)).toEqual([true, true, true]);
    const outside = ['', '/a', '\\\\host\\a', 'C:/a', '../a', 'a/../../b', 'a\\..\\b'];
    expect(outside.map(isProjectRelative)).toEqual(outside.map(() => false));
    expect(formatRef({ path: 'a.md', lines: { start: 3, end: 9 } })).toBe('ref:a.md#L3-L9');
  });
});

describe('errors', () => {
  it('are recognised across copies of the package', () => {
    const stranger = Object.assign(new Error('x'), { [Symbol.for('galley.error')]: true });
    expect(isGalleyError(stranger)).toBe(true);
    expect(isGalleyError(new Error('x'))).toBe(false);
  });

  it('leave a message of strangers behind, and tell cancel from timeout', () => {
    const named = (name: string) => Object.assign(new Error('SECRET'), { name });
    expect(toGalleyError(named('AbortError')).code).toBe('CANCELLED');
    expect(toGalleyError(named('TimeoutError')).code).toBe('TIMEOUT');
    expect(JSON.stringify(toGalleyError(new TypeError('SECRET /root/x')))).not.toMatch(/SECRET|root/);
  });

  it('carry what the table says', () => {
    expect(new GalleyError('TIMEOUT', 'late').retryable).toBe(errorTable.TIMEOUT.retryable);
    expect(new GalleyError('NOT_FOUND', 'gone').toJSON()).toEqual({ code: 'NOT_FOUND', message: 'gone' });
  });
});

describe('budgets', () => {
  it('are whole, finite, not negative, and in the unit of the meter', () => {
    const check =
      (n: number, unit: 'bytes' | 'tokens' = 'bytes', maxPages?: number) =>
      () =>
        usableOf({ limit: { unit, n }, ...(maxPages === undefined ? {} : { maxPages }) }, bytesMeter);
    expect(check(0)()).toBe(0);
    for (const bad of [
      check(-1),
      check(1.5),
      check(Number.NaN),
      check(Number.POSITIVE_INFINITY),
      check(1, 'tokens'),
      check(1, 'bytes', 0),
    ]) {
      expect(bad).toThrowError(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
    }
  });
});
