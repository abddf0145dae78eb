// How git's answers are read: records ended by one byte, and paths whose bytes need not be text.
import { isUtf8 } from 'node:buffer';

export async function* splitRecords(chunks: AsyncIterable<Buffer>, end = 0): AsyncGenerator<Buffer[]> {
  let held: Buffer[] = [];
  for await (const chunk of chunks) {
    const records: Buffer[] = [];
    let from = 0;
    for (let at = chunk.indexOf(end); at !== -1; at = chunk.indexOf(end, from)) {
      const piece = chunk.subarray(from, at);
      records.push(held.length === 0 ? piece : Buffer.concat([...held, piece]));
      held = [];
      from = at + 1;
    }
    if (from < chunk.length) held.push(chunk.subarray(from));
    if (records.length > 0) yield records;
  }
  if (held.length > 0) yield [Buffer.concat(held)];
}

/** How do we name a path whose bytes are not UTF-8? Each stray byte becomes \xNN, and the bytes stay at hand. */
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
