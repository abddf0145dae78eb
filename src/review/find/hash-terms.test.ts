// The terms of bytes are the terms of strings.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashTerm, hashTerms } from './hash-terms.js';
import { termsIn } from './task-words.js';
import { countTerms } from './tree-words.js';

const sorted = (values: Iterable<number>) => [...values].sort((a, b) => a - b);
const ofStrings = (text: string) => sorted(termsIn(text).map(hashTerm));
const ofBytes = (text: string) => sorted(hashTerms(Buffer.from(text)).terms);

const words = fc.constantFrom(
  'HTMLParser',
  'getIDs',
  'sessions',
  'expiring',
  'entries',
  'boxes',
  'ties',
  'uses',
  'é',
  'Größe',
  'ПРИВЕТ',
  '运费计算',
  '，',
  'snake_case_word',
  '$scope',
  'x2y',
  'sha256',
  's3',
  '_1',
  '$2a',
  'é2',
  'utf8Decoder',
  'theFix',
  'cached',
  'red',
  'making',
  '한국어',
  'かな',
  '😀',
  ' ',
  '\n',
  '(',
  '.',
  '_',
);
const text = fc.oneof(
  fc.array(words, { maxLength: 12 }).map((parts) => parts.join('')),
  fc.array(words, { maxLength: 12 }).map((parts) => parts.join(' ')),
  fc.string({ unit: 'binary', maxLength: 60 }).filter((each) => each.isWellFormed()),
);

describe('terms of bytes', () => {
  it('are those of the same text as strings', () => {
    fc.assert(
      fc.property(text, (each) => {
        expect(ofBytes(each)).toEqual(ofStrings(each));
      }),
      { seed: 7, numRuns: 3_000 },
    );
  });

  it('are counted, one text after another, as often as they stand there', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 40 }), (texts) => {
        for (const each of [texts.join(' '), ...texts]) {
          const counts = new Map<number, number>();
          for (const term of ofStrings(each)) counts.set(term, (counts.get(term) ?? 0) + 1);
          const { terms, times } = countTerms(Buffer.from(each));
          expect([...terms].map((term, at) => [term, times[at]])).toEqual([...counts]);
        }
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  it('know which names are defined', () => {
    const defined = (code: string) => sorted(hashTerms(Buffer.from(code)).defined);
    const terms = (code: string) => ofStrings(code);
    expect(defined('export function checkPassword(user) { user() }')).toEqual(terms('checkPassword'));
    expect(defined('func (s *Server) ListenTLS(addr string) error')).toEqual(terms('ListenTLS'));
    expect(defined('class\tHTTPClient: pass')).toEqual(terms('HTTPClient'));
    expect(defined('const = 5; reclass name; the type.')).toEqual([]);
  });
});
