// A book of 1.5 million characters in 300 chapters, made up from a seed.
import { chineseWords } from './chinese-words.js';
import { chineseText, seededRandom } from './random.js';

export const bookCharacters = 1_500_000;
const chapters = 300;

export function longBook(): string {
  const random = seededRandom(15);
  const parts: string[] = [];
  for (let chapter = 1; chapter <= chapters; chapter += 1) {
    parts.push(`第${chapter}章 ${chineseWords[chapter % chineseWords.length]}\n`);
    for (let length = 0; length < bookCharacters / chapters; ) {
      const words = chineseWords[Math.floor(random() * chineseWords.length)];
      const line = `　　${chineseText(random, 40 + Math.floor(random() * 120))}，${words}。`;
      parts.push(`${line}\n`);
      length += line.length;
    }
  }
  return parts.join('\n');
}
