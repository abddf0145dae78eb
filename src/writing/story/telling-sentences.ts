// Which sentences tell what happened in a chapter? Those that name people, above all for the first time, those in which something
// turns, and the ones a chapter opens and closes with. No model reads it: the same chapter is always told the same way.
import { paragraphEnds, sentenceEnds } from '../documents/borders.js';
import { withoutFront } from '../documents/front-matter.js';
import { readHeadingLine } from '../documents/heading-line.js';

export interface ToldSentence {
  /** Its place among the sentences of the chapter. */
  readonly place: number;
  readonly text: string;
  readonly worth: number;
}

/** A chapter in its most telling sentences, in reading order; `places` counts all of them. */
export interface ToldChapter {
  readonly sentences: readonly ToldSentence[];
  readonly places: number;
}

const turns =
  /死|亡|杀|逃|离开|回来|回到|嫁|娶|生下|病|中毒|发现|得知|原来|决定|答应|拒绝|终于|忽然|突然|从此|秘密|真相|失踪|失去|丢|找到|打开|藏|偷|救|背叛|承认|发誓|打败|打死|抄|封|赐|搬|来信|遗|葬|怀孕|和好|分手|相认|\b(?:died?|dead|killed|murder\w*|escaped?|fled|left|returned|arrived|married|wedding|born|fell ill|discover\w*|found|learn(?:ed|t)|turned out|decided|agreed|refused|promised|swore|at last|suddenly|never again|secret|truth|vanish\w*|lost|stole|stolen|hid(?:den)?|opened|saved|betray\w*|confess\w*|inherit\w*|arrested|revealed)\b/gi;
const speech = /[“"「『]|[道说问答]\s*[:：]/g;
const shortest = 8;
const longest = { spaceless: 90, spaced: 260 } as const;
/** Enough to choose from at any length a chapter is told in. */
const mostKept = 12;

/** `names` are the people of the book; without any, capitalised words stand in for them. */
export function tellingSentences(text: string, names: readonly string[] = []): ToldChapter {
  const chapter = withoutFront(text);
  const seen = new Set<string>();
  const all: ToldSentence[] = [];
  let from = 0;
  let place = 0;
  for (const paragraph of paragraphEnds(chapter, 0, chapter.length)) {
    const isHeading = isHeadingLine(chapter.slice(from, paragraph));
    for (const to of isHeading ? [] : sentenceEnds(chapter, from, paragraph)) {
      const words = chapter.slice(from, to).replace(/\s+/g, ' ').trim();
      from = to;
      if (words === '') continue;
      all.push({ place, text: words, worth: worthOf(words, { names, seen, isFirst: place === 0 }) });
      place += 1;
    }
    from = paragraph;
  }
  const last = all.length - 1;
  const framed = all.map((sentence) =>
    sentence.place === last ? { ...sentence, worth: sentence.worth + 1.5 } : sentence,
  );
  const kept = framed
    .filter(({ text }) => text.length >= shortest && text.length <= lengthLimit(text))
    .sort((a, b) => b.worth - a.worth || a.place - b.place)
    .slice(0, mostKept)
    .sort((a, b) => a.place - b.place);
  return { sentences: kept.length > 0 ? kept : framed.slice(0, 1).map(clipped), places: all.length };
}

function isHeadingLine(paragraph: string): boolean {
  const line = paragraph.trim().split('\n', 1)[0] ?? '';
  return /^#{1,6}\s/u.test(line) || readHeadingLine(line) !== undefined;
}

function worthOf(
  text: string,
  { names, seen, isFirst }: { names: readonly string[]; seen: Set<string>; isFirst: boolean },
): number {
  const present = names.length > 0 ? names.filter((name) => text.includes(name)) : capitalised(text);
  const fresh = present.filter((name) => !seen.has(name));
  for (const name of fresh) seen.add(name);
  const turned = new Set(text.match(turns) ?? []).size;
  const spoken = (text.match(speech) ?? []).length > 0 ? 1 : 0;
  const told = Math.min(3, present.length) + 1.5 * Math.min(2, fresh.length) + 1.2 * Math.min(3, turned);
  // What is said may tell much, but narration tells what came of it.
  return (told + (isFirst ? 1.5 : 0)) * (spoken ? 0.7 : 1);
}

function capitalised(text: string): string[] {
  return [...new Set(text.slice(1).match(/(?<=[a-z,;]\s)[A-Z][a-z]{2,}/g) ?? [])];
}

function lengthLimit(text: string): number {
  return /\p{Script=Han}/u.test(text) ? longest.spaceless : longest.spaced;
}

function clipped(sentence: ToldSentence): ToldSentence {
  const characters = [...sentence.text];
  const most = lengthLimit(sentence.text);
  if (characters.length <= most) return sentence;
  return { ...sentence, text: `${characters.slice(0, most - 1).join('')}…` };
}
