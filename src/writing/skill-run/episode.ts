// What is remembered of an accepted text: its first and last sentence, so that a later run knows what happened here.
const mostCharacters = 160;
const sentence = /[^。！？!?.…\n]+[。！？!?.…]*["'”’」』]*/gu;

export function episodeOf(text: string): string {
  const sentences = (text.match(sentence) ?? []).map((words) => words.trim()).filter((words) => words !== '');
  const [first = '', ...rest] = sentences;
  const last = rest.at(-1);
  const half = last === undefined ? mostCharacters : mostCharacters / 2;
  return [first, last]
    .flatMap((words) => (words === undefined ? [] : [clip(words, half)]))
    .join(rest.length > 1 ? ' … ' : ' ');
}

function clip(words: string, most: number): string {
  const characters = [...words.replace(/\s+/g, ' ')];
  return characters.length <= most ? characters.join('') : `${characters.slice(0, most - 1).join('')}…`;
}
