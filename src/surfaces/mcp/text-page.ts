// A long text in pages that a client takes, cut at line ends where there are any.
import { GalleyError } from '../../core/model/error.js';
import { usualPartBytes } from '../../operations/parts.js';

export function pageOfText(
  text: string,
  number: number,
  mostBytes = usualPartBytes,
): { readonly text: string; readonly pages: number } {
  const pages = pagesOf(Buffer.from(text), mostBytes);
  const page = pages[number - 1];
  if (page === undefined) {
    throw new GalleyError('INVALID_ARGUMENT', `page: there are only ${pages.length}.`, {
      details: { field: 'page' },
    });
  }
  return { text: page, pages: pages.length };
}

const lineEnd = 0x0a;

function pagesOf(bytes: Buffer, most: number): string[] {
  const pages: string[] = [];
  let start = 0;
  while (bytes.length - start > most) {
    const lastLine = bytes.lastIndexOf(lineEnd, start + most - 1);
    let end = lastLine < start ? start + most : lastLine + 1;
    // Never inside a character.
    while (lastLine < start && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
    pages.push(bytes.toString('utf8', start, end));
    start = end;
  }
  return [...pages, bytes.toString('utf8', start)];
}
