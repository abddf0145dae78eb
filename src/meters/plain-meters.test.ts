import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountOf } from '../core/model/meter.js';
import { nastyText } from '../testing/nasty-text.js';
import { hashText } from './content-hash.js';
import { bytesMeter, charsPerFourMeter, codepointsMeter } from './plain-meters.js';

describe('plain meters', () => {
  it('weigh bytes and code points as the platform encodes them', () => {
    fc.assert(
      fc.property(nastyText(40), (text) => {
        expect(bytesMeter.weigh(text)).toBe(new TextEncoder().encode(text).length);
        expect(codepointsMeter.weigh(text)).toBe([...text].length);
      }),
    );
  });

  it('chars/4 is ceil(code points / 4), rounded once per prompt [chunk.meter]', () => {
    const pieces = ['a', '中', '😀', 'bc', ''];
    expect(amountOf(charsPerFourMeter, charsPerFourMeter.weigh(pieces.join('')))).toEqual({
      unit: 'tokens',
      n: 2,
    });
    const sum = pieces.reduce((total, piece) => total + charsPerFourMeter.weigh(piece), 0);
    expect(amountOf(charsPerFourMeter, sum).n).toBe(2);
    expect(charsPerFourMeter.exact).toBe(false);
  });
});

describe('the hash of a text', () => {
  it('is SHA-256 of the UTF-8 bytes in lowercase hexadecimal', () => {
    expect(hashText('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    fc.assert(
      fc.property(nastyText(20), (text) => {
        expect(hashText(text)).toBe(createHash('sha256').update(Buffer.from(text, 'utf8')).digest('hex'));
      }),
    );
  });
});
