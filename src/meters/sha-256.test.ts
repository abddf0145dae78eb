import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sweepSize } from '../../test/sweep-size.js';
import { nastyText } from '../testing/nasty-text.js';
import { hashText, sha256 } from './content-hash.js';

const judge = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

it('hashes as the platform does, whatever the text and the port [D7]', () => {
  const text = fc.oneof(nastyText(60), fc.string({ unit: 'binary', maxLength: 300 }));
  fc.assert(
    fc.property(text, (given) => {
      expect(sha256(given)).toBe(judge(given));
      expect(hashText(given)).toBe(judge(given));
    }),
    { numRuns: sweepSize('hashes against the platform', { everyRun: 200, nightly: 20_000 }) },
  );
});

it('hashes every length around the borders of its blocks, and lone surrogates', () => {
  for (let length = 0; length < 200; length += 1) {
    const given = 'a'.repeat(length);
    expect(sha256(given)).toBe(judge(given));
  }
  expect(sha256('\ud800x\udc00')).toBe(judge('\ud800x\udc00'));
});
