// The findings of linter files, each in the format the caller names; sniffing would guess.
import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import { GalleyError } from '../../core/model/error.js';
import type { LinterFormat } from '../change/review-request.js';
import type { LinterFinding } from './linter-finding.js';
import {
  readCheckstyle,
  readEslint,
  readGolangci,
  readRdjson,
  readRdjsonl,
  readRuff,
  readSarif,
} from './linter-formats.js';

const readers: Readonly<Record<LinterFormat, (text: string) => LinterFinding[]>> = {
  sarif: readSarif,
  eslint: readEslint,
  checkstyle: readCheckstyle,
  rdjson: readRdjson,
  rdjsonl: readRdjsonl,
  golangci: readGolangci,
  ruff: readRuff,
};

const maxBytes = 64 * 1024 * 1024;

export function parseFindings(format: LinterFormat, text: string): LinterFinding[] {
  return readers[format](text);
}

interface FindingFolders {
  readonly folder: string;
  readonly topLevel: string | undefined;
}

/** Paths come back relative to the repository; what lies outside of it is left out. */
export async function readLinterFindings(
  files: readonly { readonly path: string; readonly format: LinterFormat }[],
  folders: FindingFolders,
): Promise<LinterFinding[]> {
  const all: LinterFinding[] = [];
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
  if (facts.size > maxBytes)
    throw new GalleyError(
      'PAYLOAD_TOO_LARGE',
      `linter: a file holds more than ${maxBytes} bytes; let the linter look at changed files only.`,
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
