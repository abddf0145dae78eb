// Made-up Chinese in which words are as frequent as words are: the commonest stand in every paragraph, most are rare.
import { chineseText } from './random.js';

const vocabulary = 8_000;

export function wordyText(random: () => number): (characters: number) => string {
  const signs = chineseText(random, vocabulary * 4).replace(/[，。\n]/g, '');
  const words = Array.from({ length: vocabulary }, (_, rank) => {
    const length = rank < 200 ? 1 : 2;
    return signs.slice(rank * 2, rank * 2 + length);
  });
  // The n-th word is drawn with a weight of 1/n.
  const wordAt = () => words[Math.min(vocabulary - 1, Math.floor(vocabulary ** random()) - 1)] ?? '的';
  return (characters) => {
    let text = '';
    for (let count = 1; text.length < characters; count += 1)
      text += wordAt() + (count % 9 === 0 ? (count % 27 === 0 ? '。' : '，') : '');
    return text.slice(0, characters);
  };
}
