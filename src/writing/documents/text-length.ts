// How long a text is, as writers count.

/** Characters without blanks; words as editors count them: each Han or kana character, and each word of other scripts. */
export function textLength(text: string): { readonly characters: number; readonly words: number } {
  const characters = [...text.replace(/\s+/g, '')].length;
  const words = text.match(/\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}|[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu);
  return { characters, words: countWords(words ?? []) };
}

function countWords(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + Math.max(1, (word.match(/\p{sc=Han}/gu) ?? []).length), 0);
}
