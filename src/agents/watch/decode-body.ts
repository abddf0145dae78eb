// Bodies as they read, from bodies as they travel. Only copies come here; what cannot be decoded is not known, and nothing else.
import { once } from 'node:events';
import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';

/** More than any provider takes. */
export const maxBodyBytes = 64 * 1024 * 1024;

export function decodeBody(bytes: Buffer, encoding: string | undefined): Buffer | undefined {
  const limit = { maxOutputLength: maxBodyBytes };
  try {
    switch (encodingOf(encoding)) {
      case 'identity':
        return bytes;
      case 'gzip':
        return zlib.gunzipSync(bytes, limit);
      case 'deflate':
        return zlib.inflateSync(bytes, limit);
      case 'br':
        return zlib.brotliDecompressSync(bytes, limit);
      case 'zstd':
        return newer.zstdDecompressSync?.(bytes, limit);
      default:
        return undefined;
    }
  } catch {
    return undefined;
  }
}

const encodingOf = (encoding: string | undefined) => (encoding ?? 'identity').trim().toLowerCase();

/** There since Node 22.15. */
const newer = zlib as unknown as {
  zstdDecompressSync?(bytes: Buffer, options: object): Buffer;
  createZstdDecompress?(): Transform;
};

export interface AnswerCopy {
  write(chunk: Buffer): void;
  end(): Promise<void>;
}

export function decodeAnswer(encoding: string | undefined, onChunk: (bytes: Buffer) => void): AnswerCopy {
  const name = encodingOf(encoding);
  if (name === 'identity') return { write: onChunk, end: async () => undefined };
  const decoder = decoderOf(name);
  if (decoder === undefined) return { write: () => undefined, end: async () => undefined };
  let isBroken = false;
  decoder.on('data', onChunk).on('error', () => {
    isBroken = true;
  });
  return {
    write: (chunk) => {
      if (!isBroken) decoder.write(chunk);
    },
    end: async () => {
      if (isBroken || decoder.destroyed) return;
      const closed = once(decoder, 'close').catch(() => undefined);
      decoder.end();
      await closed;
    },
  };
}

function decoderOf(name: string): Transform | undefined {
  if (name === 'gzip') return zlib.createGunzip();
  if (name === 'deflate') return zlib.createInflate();
  if (name === 'br') return zlib.createBrotliDecompress();
  return name === 'zstd' ? newer.createZstdDecompress?.() : undefined;
}
