// Words that make a question a question, or hold a sentence together, say little about where the answer stands.
import { stem } from './stem.js';

const chinesePairs =
  '什么 哪些 哪个 哪里 哪位 哪一 哪种 哪年 多少 怎么 怎样 如何 为何 为什 几个 谁是 是谁 么时 时候 何时 是什 么是 是哪 有哪 有什 么样 样的'.split(
    ' ',
  );
const chineseSingles = [...'的是了在有和与之于为么吗呢哪几谁什'];
const english =
  'what which who whom whose when where why how many much did do does is was were are be been the a an of in to for on by with that as at from it its and or'.split(
    ' ',
  );

const damping: ReadonlyMap<string, number> = new Map([
  ...chinesePairs.map((pair) => [pair, 0.3] as const),
  ...chineseSingles.map((single) => [single, 0.2] as const),
  ...english.map((word) => [stem(word), 0.3] as const),
]);

const question =
  /什么|哪|多少|怎么|怎样|如何|为何|何[时地人]|几|谁|多[大长高久远]|\b(?:what|which|who|whom|whose|when|where|why|how)\b/i;

/** 1 for ordinary terms, less for question words and function words. */
export function questionDamping(term: string): number {
  return damping.get(term) ?? 1;
}

/** The code unit around which a question asks, or undefined for plain text. */
export function questionFocus(query: string): number | undefined {
  const match = question.exec(query);
  return match === null ? undefined : match.index + match[0].length / 2;
}
