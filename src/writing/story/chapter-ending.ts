// How did the chapter before end? Its last paragraphs, or the last sentences of a long one, as many as fit.
import { paragraphEnds } from '../documents/paragraphs.js';
import { sentenceEnds } from '../documents/sentences.js';

/** At most `most` code units, from the start of a paragraph where one begins in reach, else of a sentence. */
export function chapterEnding(text: string, most: number): string {
  const end = text.trimEnd().length;
  if (end <= most) return text.slice(0, end).trim();
  const reach = Math.max(0, end - 4 * most);
  const startWithin = (ends: readonly number[]) => ends.find((start) => start < end && end - start <= most);
  const paragraph = startWithin(paragraphEnds(text, reach, end));
  const sentence = startWithin(sentenceEnds(text, reach, end));
  // A paragraph that is much shorter than what is allowed would tell too little.
  const start = paragraph !== undefined && end - paragraph >= most / 2 ? paragraph : sentence;
  return start === undefined ? '' : text.slice(start, end).trim();
}
