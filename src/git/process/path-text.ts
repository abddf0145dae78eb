// How do we name a path whose bytes are not UTF-8? Each stray byte becomes \xNN, and the bytes stay at hand.
import { isUtf8 } from 'node:buffer';

export function pathText(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let text = '';
  let index = 0;
  while (index < bytes.length) {
    const length = sequenceLength(bytes, index);
    const part = bytes.subarray(index, index + length);
    text += isUtf8(part) ? part.toString('utf8') : `\\x${bytes.toString('hex', index, index + 1)}`;
    index += isUtf8(part) ? length : 1;
  }
  return text;
}

function sequenceLength(bytes: Buffer, index: number): number {
  const lead = bytes[index]!;
  if (lead < 0xc0) return 1;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}
