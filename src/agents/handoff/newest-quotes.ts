// What was said in a session, as far as any turn could take it: the newest, and the first of all, which says what it is about.
// However long the session is, the same memory holds it.
import { createRecentMap } from '../sessions/recent-map.js';

export interface Quote {
  /** One-based line of the session file. */
  readonly line: number;
  readonly text: string;
}

const maxQuotes = 2_000;
/** Twice the largest window there is, in UTF-16 units. */
const maxHeld = 8_000_000;

export function newestQuotes() {
  const quotes: Quote[] = [];
  let held = 0;
  const drop = (from: number, count: number) => {
    for (const { text } of quotes.splice(from, count)) held -= text.length;
  };
  const thin = (most: number) => {
    let count = Math.max(0, quotes.length - most);
    let rest = held - quotes.slice(1, count + 1).reduce((sum, { text }) => sum + text.length, 0);
    while (rest > maxHeld && quotes.length - count > 2) {
      count += 1;
      rest -= quotes[count]?.text.length ?? 0;
    }
    drop(1, count);
  };
  return {
    add(line: number, words: string) {
      const text = words.trim();
      if (text === '') return;
      quotes.push({ line, text });
      held += text.length;
      // Many at once, since each time all others move up.
      if (quotes.length >= 2 * maxQuotes || held > 2 * maxHeld) thin(maxQuotes);
    },
    /** Lines ascend, so what was told of late is at the end. */
    removeLine(line: number) {
      let end = quotes.length;
      while (end > 0 && (quotes[end - 1]?.line ?? 0) > line) end -= 1;
      let start = end;
      while (start > 0 && quotes[start - 1]?.line === line) start -= 1;
      drop(start, end - start);
    },
    cutBehind(line: number) {
      let end = quotes.length;
      while (end > 0 && (quotes[end - 1]?.line ?? 0) > line) end -= 1;
      drop(end, quotes.length - end);
    },
    list(): readonly Quote[] {
      thin(maxQuotes);
      return quotes;
    },
  };
}

/** In which line something was told, by the name the file gives it. Nobody goes back further than that. */
export function linesByKey() {
  const lines = createRecentMap<number>(100_000);
  return { note: lines.set, find: lines.get };
}
