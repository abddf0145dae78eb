// The text that a PNG carries: chunks of the kind tEXt by keyword. A length that runs past the end is refused, never believed.
import { crc32 } from 'node:zlib';
import { GalleyError } from '../../../core/model/error.js';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export function isPng(bytes: Uint8Array): boolean {
  return signature.equals(bytes.subarray(0, signature.length));
}

export interface PngText {
  readonly texts: ReadonlyMap<string, string>;
  /** Chunks whose sum does not fit; they are read all the same. */
  readonly damaged: number;
}

export function readPngText(bytes: Uint8Array, name: string): PngText {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const texts = new Map<string, string>();
  let damaged = 0;
  for (let at = signature.length; at < view.length; ) {
    const length = at + 12 <= view.length ? view.readUInt32BE(at) : Number.POSITIVE_INFINITY;
    const end = at + 8 + length;
    if (end + 4 > view.length)
      throw new GalleyError(
        'FILE_UNREADABLE',
        `${name} cannot be read: a part of it says it is longer than the file.`,
        {
          details: { path: name },
        },
      );
    const kind = view.toString('latin1', at + 4, at + 8);
    if (kind === 'tEXt') {
      const data = view.subarray(at + 8, end);
      const parted = data.indexOf(0);
      if (crc32(view.subarray(at + 4, end)) !== view.readUInt32BE(end)) damaged += 1;
      if (parted > 0)
        texts.set(data.toString('latin1', 0, parted).toLowerCase(), data.toString('latin1', parted + 1));
    }
    if (kind === 'IEND') break;
    at = end + 4;
  }
  return { texts, damaged };
}
