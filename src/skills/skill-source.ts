// Which text does a skill file hold? Bytes are decoded strictly; a byte-order mark and CRLF line ends do not reach the parser.
import { utf8Length } from '../core/model/utf8.js';
import { invalidField } from './invalid-field.js';

export const maxSkillBytes = 256 * 1024;

export interface SkillText {
  readonly text: string;
  readonly byteOrderMark: boolean;
}

export function readSkillText(source: string | Uint8Array): SkillText {
  const size = typeof source === 'string' ? utf8Length(source) : source.byteLength;
  if (size > maxSkillBytes) {
    throw invalidField('source', `a skill file holds at most ${maxSkillBytes} bytes; shorten it.`);
  }
  const decoded = typeof source === 'string' ? source : decode(source);
  const byteOrderMark = decoded.startsWith('\ufeff');
  const text = (byteOrderMark ? decoded.slice(1) : decoded).replaceAll('\r\n', '\n');
  return { text, byteOrderMark };
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw invalidField('source', 'the file is not valid UTF-8; save it as UTF-8.', { cause });
  }
}
