// The vocabulary of an encoding: beside the built program; in a checkout, in the package the build takes it from.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { EncodingName } from './encoder.js';

/** The file is plain ASCII, which is read fastest as Latin-1. */
export function readVocabulary(encoding: EncodingName): string {
  try {
    return readFileSync(new URL(`vocabularies/${encoding}.json`, import.meta.url), 'latin1');
  } catch {
    const { resolve } = createRequire(import.meta.url);
    return readFileSync(resolve(`tiktoken/encoders/${encoding}.json`), 'latin1');
  }
}
