// The findings of linter files, each in the format the caller names; sniffing would guess.
import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import { GalleyError } from '../../core/model/error.js';
import type { LinterFormat } from '../changes/review-request.js';
import type { Finding } from './finding.js';
import { readCheckstyle } from './read-checkstyle.js';
import { readEslint } from './read-eslint.js';
import { readGolangci } from './read-golangci.js';
import { readRdjson, readRdjsonl } from './read-rdjson.js';
import { readRuff } from './read-ruff.js';
import { readSarif } from './read-sarif.js';

const readers: Readonly<Record<LinterFormat, (text: string) => Finding[]>> = {
  sarif: readSarif,
  eslint: readEslint,
  checkstyle: readCheckstyle,
  rdjson: readRdjson,
  rdjsonl: readRdjsonl,
  golangci: readGolangci,
  ruff: readRuff,
};

const mostBytes = 64 * 1024 * 1024;

export function parseFindings(format: LinterFormat, text: string): Finding[] {
  return readers[format](text);
}

export interface FindingFolders {
  readonly folder: string;
  readonly topLevel: string | undefined;
}

/** Paths come back relative to the repository; what lies outside of it is left out. */
export async function readFindings(
  files: readonly { readonly path: string; readonly format: LinterFormat }[],
  folders: FindingFolders,
): Promise<Finding[]> {
  const all: Finding[] = [];
  for (const { path, format } of files) {
    const text = await readBounded(resolve(folders.folder, path));
    for (const finding of parseFindings(format, text)) {
      const inside = await insidePath(finding.path, folders);
      if (inside !== undefined) all.push({ ...finding, path: inside });
    }
  }
  return all;
}

async function readBounded(path: string): Promise<string> {
  const facts = await stat(path).catch((cause: unknown) => {
    throw new GalleyError('FILE_UNREADABLE', 'linter: a file cannot be read; check its path.', {
      details: { field: 'linter' },
      cause,
    });
  });
  if (facts.size > mostBytes)
    throw new GalleyError(
      'PAYLOAD_TOO_LARGE',
      `linter: a file holds more than ${mostBytes} bytes; let the linter look at changed files only.`,
      { details: { field: 'linter', size: facts.size } },
    );
  return readFile(path, 'utf8');
}

async function insidePath(path: string, { topLevel }: FindingFolders): Promise<string | undefined> {
  const plain = path.replaceAll('\\', '/').replace(/^\.\//, '');
  if (!isAbsolute(plain)) return plain.split('/').includes('..') ? undefined : plain;
  if (topLevel === undefined) return undefined;
  const roots = [topLevel, await realpath(topLevel).catch(() => topLevel)];
  for (const root of roots) {
    const inside = relative(root, plain);
    if (inside !== '' && !inside.startsWith('..') && !isAbsolute(inside)) return inside;
  }
  return undefined;
}
