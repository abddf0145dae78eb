// What people give: standard input and files as strict UTF-8, bounded, numbers of flags, and words that are nearly right. Refusals
// name the input and never its content.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { GalleyError } from '../../../core/model/error.js';
import { nearestWord } from '../../../core/model/nearest-word.js';

const maxBytes = 256 * 1024 * 1024;

/** Whoever gave a time limit does not wait longer for the other end of a pipe either. */
export async function readStdin(timeoutMs?: number): Promise<string> {
  // A limit that is none is refused by whoever reads the flags.
  if (timeoutMs === undefined || !(timeoutMs > 0)) return readAllOfStdin();
  const late = new GalleyError('TIMEOUT', 'Standard input did not end in time; close it with < /dev/null.');
  const timer = setTimeout(() => process.stdin.destroy(late), timeoutMs);
  try {
    return await readAllOfStdin();
  } finally {
    clearTimeout(timer);
  }
}

async function readAllOfStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    size += (chunk as Buffer).length;
    if (size > maxBytes) {
      throw new GalleyError('PAYLOAD_TOO_LARGE', `Standard input is larger than ${maxBytes} bytes.`);
    }
    chunks.push(chunk as Buffer);
  }
  return decode(Buffer.concat(chunks), 'standard input');
}

export async function readTextFile(path: string): Promise<string> {
  let content: Buffer;
  try {
    content = await readFile(path);
  } catch (cause) {
    throw new GalleyError('FILE_UNREADABLE', `The file "${basename(path)}" cannot be read.`, { cause });
  }
  return decode(content, `the file "${basename(path)}"`);
}

export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new GalleyError('INVALID_ARGUMENT', `${what} is not valid JSON.`);
  }
}

function decode(content: Buffer, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw new GalleyError('INVALID_ARGUMENT', `${what} is not valid UTF-8.`);
  }
}

/** Digits, with _ between them if one likes; refused by the name of the flag. */
export function wholeNumber(text: string, flag: string, least = Number.MIN_SAFE_INTEGER): number {
  const value = Number(text.replaceAll('_', ''));
  if (/^-?\d[\d_]*$/.test(text.trim()) && Number.isSafeInteger(value) && value >= least) return value;
  const bound = least === Number.MIN_SAFE_INTEGER ? '' : `, ${least} or more`;
  throw new GalleyError('INVALID_ARGUMENT', `${flag}: must be a whole number${bound}.`, {
    details: { field: flag },
  });
}

const shortestBeginning = 3;

export function closestWord(value: string, known: readonly string[]): string | undefined {
  const begun = value.length < shortestBeginning ? undefined : known.find((word) => word.startsWith(value));
  return begun ?? nearestWord(value, known);
}

/** How a refusal ends: with the known word that was probably meant, or with a full stop. In English, as every message is. */
export function didYouMean(value: string, known: readonly string[]): string {
  const meant = closestWord(value, known);
  return meant === undefined ? '.' : `; did you mean "${meant}"?`;
}
