import { createRequire } from 'node:module';
import fc from 'fast-check';
import { Tiktoken } from 'tiktoken/lite';
import { beforeAll, describe, expect, it } from 'vitest';
import { sweepSize } from '../../../test/sweep-size.js';
import type { Meter } from '../../core/model/meter.js';
import { nastyRuns, nastyText } from '../../testing/nasty-text.js';
import { loadPeerEncoder } from '../../testing/peer-encoder.js';
import { loadMeter } from '../load-meter.js';
import { createBpeMeter } from './bpe-meter.js';
import { preTokenEnd } from './pre-token.js';

const require = createRequire(import.meta.url);
const encodings = ['o200k_base', 'cl100k_base'] as const;

describe.each(encodings)('counting %s', (encoding) => {
  let meter: Meter;
  let peer: Tiktoken;
  let pattern: string;

  beforeAll(async () => {
    meter = await loadMeter(encoding);
    const vocabulary = require(`tiktoken/encoders/${encoding}.json`);
    pattern = vocabulary.pat_str;
    peer = new Tiktoken(vocabulary.bpe_ranks, vocabulary.special_tokens, pattern);
  });

  it('counts short texts as the unguarded tokenizer does', () => {
    fc.assert(
      fc.property(nastyText(60), (text) => {
        expect(meter.weigh(text)).toBe(peer.encode_ordinary(text).length);
      }),
      { numRuns: sweepSize('counts against the other tokenizer', { everyRun: 400, nightly: 30_000 }) },
    );
  });

  it('counts long runs as the unguarded tokenizer does, to the token', () => {
    fc.assert(
      fc.property(nastyRuns(500), (text) => {
        const bounded = text.slice(0, 3000);
        expect(meter.weigh(bounded)).toBe(peer.encode_ordinary(bounded).length);
      }),
      { numRuns: sweepSize('counts against the other tokenizer', { everyRun: 60, nightly: 2500 }) },
    );
  });

  it.each([
    [
      'Han',
      [
        ...'的一是不了人我在有他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市眼体别处总才场师书比住员九笑性通目华报立马命张活难神数件安表原车白应路期叫死常提感金何更反合放做系计或司利受光王果亲界及今京务制解各任至清物台象记边共风战干接它许八特觉望直服毛林题建南度统色字请交爱让认算论百吃义科怎元社术结六功指思非流每青管夫连远资队跟带花快条院变联言权往展该领传近留红治决周保达办运武半候七必城父强步完革深区即求品士转量空甚众技轻程告江语英基派满式李息写呢识极令黄德收脸钱党倒未持取设始版双历越史商千片容研像找友孩站广改议形委早房音火际则首单据导影失拿网香似斯专石若兵弟谁校读志飞观争究包组造落视济喜离虽坏兴切龘靐齉爩鱻麤',
      ],
    ],
    ['lower case', [...'etaoinshrdlucmfwypvbgkqjxz']],
    ['accented', [...'aeiouàéîõüłżćńśź']],
    ['kana', [...'あいうえおかきくけこさしすせそたちつてとカキクケコ']],
    ['Hangul', [...'가나다라마바사아자차카타파하는을이의에']],
    ['signs', [...'=-*#~_.,;:!?()[]{}<>|+&%$@^"']],
    ['emoji', [...'😀😁😂🤣😃😄😅❤️👍🏽👨‍👩‍👧🇨🇳']],
    ['blanks', [' ', '  ', '\t', '\u00a0', '\u3000']],
    ['line ends', ['\n', '\r\n', '\n\n', '/', '//']],
    ['rare Han', [...'𠀀𠀁𪚥㐀㐁䶵']],
  ])('counts long runs of mixed %s to the token', (_, units) => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...units), { minLength: 500, maxLength: 1000 }), (parts) => {
        const text = parts.join('');
        expect(meter.weigh(text)).toBe(peer.encode_ordinary(text).length);
      }),
      { numRuns: sweepSize('counts against the other tokenizer', { everyRun: 8, nightly: 250 }) },
    );
  });

  it('finds the same pre-tokens as the pattern', () => {
    const javascript = new RegExp(
      pattern
        .replaceAll('(?i:', "(?:'ſ|'S|'T|'RE|'Re|'rE|'VE|'Ve|'vE|'M|'LL|'Ll|'lL|'D|")
        .replaceAll('[^\\s', '[^\\p{White_Space}')
        .replaceAll('(?!\\S)', '(?!\\P{White_Space})')
        .replaceAll('\\s', '\\p{White_Space}'),
      'gu',
    );
    fc.assert(
      fc.property(nastyText(80), (text) => {
        expect(preTokens(text, encoding)).toEqual(text.match(javascript) ?? []);
      }),
      { numRuns: sweepSize('counts against the other tokenizer', { everyRun: 500, nightly: 50_000 }) },
    );
  });

  it('counts the same by the other vocabulary, long runs and U+FEFF included', async () => {
    const peer = createBpeMeter(encoding, await loadPeerEncoder(encoding));
    fc.assert(
      fc.property(fc.oneof(nastyText(60), nastyRuns(100)), (text) => {
        expect(peer.weigh(text)).toBe(meter.weigh(text));
      }),
      { numRuns: sweepSize('counts against the other tokenizer', { everyRun: 60, nightly: 2500 }) },
    );
    expect(peer.weigh('\ufeff\ufeffusing System;\n')).toBe(meter.weigh('\ufeff\ufeffusing System;\n'));
  });

  it('knows the class of every character as the tokenizer does', () => {
    for (let from = 0x80; from < 0x1_fc00; from += 0x100) {
      // Blocks of thousands of letters of one kind.
      if ((from > 0x3500 && from < 0xd700) || (from > 0x1_2500 && from < 0x1_d000)) continue;
      const points = Array.from({ length: 0x100 }, (_, offset) => from + offset);
      const text = points
        .filter((point) => point < 0xd800 || point > 0xdfff)
        .map((point) => `a${String.fromCodePoint(point)}!${String.fromCodePoint(point)} 1`)
        .join('');
      const parts = text === '' ? [] : preTokens(text, encoding);
      const apart = parts.reduce((sum, part) => sum + peer.encode_ordinary(part).length, 0);
      expect(`${from.toString(16)}: ${apart}`).toBe(
        `${from.toString(16)}: ${peer.encode_ordinary(text).length}`,
      );
    }
  });
});

function preTokens(text: string, encoding: (typeof encodings)[number]): string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = preTokenEnd(text, start, encoding);
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}
