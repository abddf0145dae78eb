// Which parts of a text are told, and which are said by someone? Speech, verse, titles and emphasised thoughts are blanked with
// a filler of the same length, so that offsets stay true.

/** A mark that is not closed within so many code units is taken to end with its paragraph. */
const longestSpeech = 2000;

export const filler = '\ue000';

const pairs: Readonly<Record<string, string>> = {
  '“': '”',
  '「': '」',
  '『': '』',
  '‘': '’',
  '《': '》',
  '＂': '＂',
};
const elided = /^['’](?:tis|twas|twere|em|cause|til|till|bout|round|n|\d0s)\b/i;

/** The narration alone; everything inside quotation marks is filler. */
export function narrationOf(text: string): string {
  return blank(text, quotedSpans(text));
}

/** What is said or quoted; the narration is filler. */
export function dialogueOf(text: string): string {
  const spans = quotedSpans(text);
  let at = 0;
  const told: [number, number][] = [];
  for (const [start, end] of spans) {
    told.push([at, start]);
    at = end;
  }
  told.push([at, text.length]);
  return blank(text, told);
}

function blank(text: string, spans: readonly (readonly [number, number])[]): string {
  let result = '';
  let at = 0;
  for (const [start, end] of spans) {
    result += text.slice(at, start) + text.slice(start, end).replace(/[^\n]/g, filler);
    at = end;
  }
  return result + text.slice(at);
}

function quotedSpans(text: string): readonly (readonly [number, number])[] {
  const spans: [number, number][] = [];
  const verse = verseLines(text);
  for (let at = 0; at < text.length; ) {
    const end = verse.get(at) ?? quoteEnd(text, at);
    if (end === undefined) at += 1;
    else {
      spans.push([at, end]);
      at = end;
    }
  }
  return spans;
}

const announcesVerse =
  /(?:诗云|诗曰|词云|词曰|歌云|歌曰|偈云|偈曰|赋曰|题曰|道是|吟道|唱道|念道|有诗为证|题诗一首|其[词诗歌][云曰])[，,]?[：:]?\s*$/u;
const clauseMark = /[，,。！!？?；;、．.\s]+/u;

/** Ends of lines that are verse or quoted, by their starts: marked with `>`, announced, or of even measure throughout. */
function verseLines(text: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  let announced = false;
  for (let start = 0; start < text.length; ) {
    const end = paragraphEnd(text, start);
    const line = text.slice(start, end);
    const lengths = line.split(clauseMark).flatMap((clause) => (clause === '' ? [] : [[...clause].length]));
    const isHan = /^[\p{sc=Han}，,。！!？?；;、．\s]+$/u.test(line);
    const isEven =
      lengths.length > 1 && (lengths[0] === 5 || lengths[0] === 7) && new Set(lengths).size === 1;
    const isShort = announced && isHan && lengths.length > 0 && lengths.every((length) => length <= 10);
    if (/^\s{0,3}>/u.test(line) || (isHan && isEven) || isShort) ends.set(start, end);
    else if (lengths.length > 0) announced = announcesVerse.test(line);
    start = end + 1;
  }
  return ends;
}

function quoteEnd(text: string, at: number): number | undefined {
  const mark = text[at]!;
  if (mark === '"') return straightEnd(text, at);
  if (mark === "'" || mark === '‘') return singleEnd(text, at);
  if (mark === '*' || mark === '_') return emphasisEnd(text, at);
  const close = pairs[mark];
  return close === undefined ? undefined : pairedEnd(text, at, close);
}

function pairedEnd(text: string, at: number, close: string): number {
  const paragraph = paragraphEnd(text, at);
  const ahead = text.slice(at, at + longestSpeech);
  const closing = ahead.indexOf(close, 1);
  const end = closing < 0 ? -1 : at + closing;
  const opening = ahead.indexOf(text[at]!, 1);
  const again = opening < 0 ? -1 : at + opening;
  if (end < 0) return paragraph;
  // A speech over several paragraphs opens again in each of them.
  if (end > paragraph && again >= 0 && again < end) return paragraph;
  return nestedEnd(text, at, close) ?? end + 1;
}

function nestedEnd(text: string, at: number, close: string): number | undefined {
  let depth = 0;
  const stop = paragraphEnd(text, at);
  for (let index = at; index < stop; index += 1) {
    if (text[index] === close && close !== text[at]) depth -= 1;
    else if (text[index] === text[at]) depth += 1;
    if (depth === 0) return index + 1;
  }
  return undefined;
}

function straightEnd(text: string, at: number): number {
  const paragraph = paragraphEnd(text, at);
  const end = text.indexOf('"', at + 1);
  return end < 0 || end > paragraph ? paragraph : end + 1;
}

function singleEnd(text: string, at: number): number | undefined {
  const before = text[at - 1];
  if (before !== undefined && /[\p{L}\p{N}]/u.test(before) && !/\p{sc=Han}/u.test(before)) return undefined;
  if (elided.test(text.slice(at, at + 8)) || /\s/.test(text[at + 1] ?? ' ')) return undefined;
  const paragraph = paragraphEnd(text, at);
  for (let index = at + 1; index < paragraph; index += 1) {
    const point = text[index]!;
    const after = text[index + 1] ?? ' ';
    const latinAfter = /[\p{L}\p{N}]/u.test(after) && !/\p{sc=Han}/u.test(after);
    if ((point === "'" || point === '’') && !latinAfter && !/\s/.test(text[index - 1]!)) return index + 1;
  }
  return undefined;
}

function emphasisEnd(text: string, at: number): number | undefined {
  const mark = text[at]!;
  if (/[\p{L}\p{N}*_]/u.test(text[at - 1] ?? ' ') || /[\s*_]/.test(text[at + 1] ?? ' ')) return undefined;
  const end = text.indexOf(mark, at + 1);
  return end < 0 || end > paragraphEnd(text, at) ? undefined : end + 1;
}

function paragraphEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}
