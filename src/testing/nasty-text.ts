// Texts on which counting goes wrong first: scripts, line ends, white space, signs, marks, halves of pairs.
import fc from 'fast-check';

const pieces = [
  ...[
    'a',
    'b',
    'A',
    'B',
    'x',
    'é',
    'ſ',
    'ß',
    'ǅ',
    'ʰ',
    'ا',
    'я',
    "'s",
    "'",
    "'ll",
    "'RE",
    'the',
    ' the',
    'return',
    'ing',
  ],
  ...['中', '文', '的', '龘', '天地玄黄', 'ん', 'カ', '한', '，', '。', '“', '　', '……', '——'],
  ...['1', '23', '0000', '٣', '½', ' ', '  ', '    ', '\t', '\n', '\n\n', '\r\n', '\r', '\n    '],
  ...['\u00a0', '\u0085', '\u2028', '\ufeff', '\u200d', '\u0301', '\u0300', '\u20e3', '\ufe0f'],
  ...[
    '/',
    '//',
    '*',
    '-',
    '=',
    '.',
    '(',
    ');',
    '{',
    '}',
    '"',
    '",',
    '<|endoftext|>',
    '</',
    '>',
    '\\u4e2d',
    '#',
    '_',
    '==',
  ],
  ...['😀', '👨‍👩‍👧', '🇨🇳', '𠀀', '𝐀', '𝟎', '\u{1d165}', '\ud83d', '\ude00'],
];

const piece = fc.constantFrom(...pieces);

export function nastyText(maxPieces: number): fc.Arbitrary<string> {
  return fc.array(piece, { maxLength: maxPieces }).map((parts) => parts.join(''));
}

/** Texts of a few long runs, each of one repeated pattern. */
export function nastyRuns(maxRepeats: number): fc.Arbitrary<string> {
  const run = fc.tuple(
    fc.array(piece, { minLength: 1, maxLength: 3 }),
    fc.integer({ min: 1, max: maxRepeats }),
  );
  return fc
    .array(run, { maxLength: 5 })
    .map((runs) => runs.map(([pattern, times]) => pattern.join('').repeat(times)).join(''));
}
