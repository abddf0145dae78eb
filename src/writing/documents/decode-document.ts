// From file bytes to text. UTF-8 only, strictly; a byte order mark is dropped and every line break becomes one `\n`,
// so a position counts a CRLF once, on every platform and in every operation.
import { GalleyError } from '../../core/model/error.js';

export type DecodedDocument =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unreadable'; readonly error: GalleyError };

export function decodeDocument(bytes: Uint8Array, path: string): DecodedDocument {
  if (bytes.includes(0)) return unreadable(path, 'it holds zero bytes, so it is not UTF-8 text');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { kind: 'text', text: withPlainLineBreaks(text) };
  } catch {
    return unreadable(path, 'it is not valid UTF-8');
  }
}

export function withPlainLineBreaks(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

function unreadable(path: string, why: string): DecodedDocument {
  const error = new GalleyError('FILE_UNREADABLE', `${path} cannot be read: ${why}. Save it as UTF-8.`, {
    details: { path },
  });
  return { kind: 'unreadable', error };
}
