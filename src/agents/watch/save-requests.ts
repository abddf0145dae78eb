// Requests as lines of JSON in a file, each as soon as its answer is whole: counts and hashes, and text only where it was asked
// for, without what looks like a secret. Blocks that a request shares with the one before are not told again.
import { closeSync, openSync, writeSync } from 'node:fs';
import { redact } from '../../cleaning/redact.js';
import { GalleyError } from '../../core/model/error.js';
import type { SettledRequest } from './watch-record.js';

export interface RequestFile {
  add(request: SettledRequest): void;
  close(): void;
}

interface SaveOptions {
  readonly withText: boolean;
  show(path: string): string;
}

export function openRequestFile(path: string, { withText, show }: SaveOptions): RequestFile {
  const file = openPrivate(path, '--save');
  return {
    add({ blocks, ...request }) {
      const told = blocks.map(({ part, place, tokens, hash, text, tool, target }) => ({
        part,
        place,
        tokens,
        hash,
        ...(tool === undefined ? {} : { tool }),
        ...(target === undefined ? {} : { target: show(target) }),
        ...(withText ? { text: redact(text).text } : {}),
      }));
      writeSync(file, `${JSON.stringify({ ...request, blocks: told })}\n`);
    },
    close: () => closeSync(file),
  };
}

/** For this person alone. */
export function openPrivate(path: string, field: string): number {
  try {
    return openSync(path, 'w', 0o600);
  } catch (cause) {
    throw new GalleyError('INVALID_ARGUMENT', `${field} names a file that cannot be written.`, {
      details: { field },
      cause,
    });
  }
}
