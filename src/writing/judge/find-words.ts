// Where does a forbidden word stand? A thing that must not exist may still be denied or named in a comparison.
import type { Hit, RuleOf } from './check.js';
import { findWord } from './word-search.js';

const clauseBorder = /[，。！？；：、\n“”「」『』.,!?;:"]/u;
const denialBefore =
  /(?:没有|没|不是|并非|绝非|不存在|并无|毫无|无|不信|不相信|哪有|哪来|什么|所谓|从未有过|像|如同|仿佛|犹如|宛如|不靠|不用|不需要)[^，。！？；]{0,6}$|\b(?:no|not|never|without|isn't|wasn't|aren't|neither|nor|like|as if by|no such thing as)\b[^.,!?;]{0,20}$/iu;
const denialAfter =
  /^[^，。！？；.,!?;]{0,8}(?:不存在|是假的|是骗人的|只是传说|并不)|^[^.,!?;]{0,20}\b(?:does not exist|doesn't exist|did not exist|is a myth|isn't real)\b/iu;

export function findForbiddenWords(text: string, rule: RuleOf<'forbidden-words'>): readonly Hit[] {
  return rule.words.flatMap((word) =>
    findWord(text, word)
      .filter(({ start, end }) => !(rule.denialAllowed && isDenied(text, start, end)))
      .map(({ start, end }) => ({
        start,
        end,
        message: { zh: '出现了被禁止的词语。', en: 'Uses a word that is forbidden.' },
      })),
  );
}

function isDenied(text: string, start: number, end: number): boolean {
  let from = start;
  while (from > 0 && start - from < 30 && !clauseBorder.test(text[from - 1]!)) from -= 1;
  return denialBefore.test(text.slice(from, start)) || denialAfter.test(text.slice(end, end + 40));
}
