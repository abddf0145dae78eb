// Sheets of every blob of a repository, parsed once; outlines are kept under the temporary folder between runs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outline } from '../../src/code/outline.js';
import { type FileSheet, makeSheet } from '../../src/review/related/corpus.js';
import { type Lexicon, makeLexicon } from '../../src/review/related/lexicon.js';
import type { FileOutline } from '../../src/review/related/segment-file.js';
import { readNamed, type TreeEntry } from './git-reader.js';
import { cacheRoot } from './load-instances.js';

export interface SheetLibrary {
  readonly lexicon: Lexicon;
  sheet(blob: string): FileSheet | undefined;
  text(blob: string): string | undefined;
}

const version = 'code-1';

export async function openLibrary(
  name: string,
  directory: string,
  wanted: { readonly entries: Iterable<TreeEntry>; readonly overlays: ReadonlyMap<string, string> },
): Promise<SheetLibrary> {
  const pathOf = new Map<string, string>();
  for (const entry of wanted.entries) pathOf.set(entry.blob, entry.path);
  const file = join(cacheRoot, `outlines-${name}-${version}.json`);
  const known = new Map<string, FileOutline>(
    existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as [string, FileOutline][]) : [],
  );
  const blobs = [...pathOf.keys()].filter((blob) => !wanted.overlays.has(blob));
  const texts = await readNamed(directory, blobs);
  for (const [key, text] of wanted.overlays) if (pathOf.has(key)) texts.set(key, text);
  let fresh = 0;
  for (const [blob, text] of texts) {
    if (known.has(blob)) continue;
    known.set(blob, await leanOutline(pathOf.get(blob)!, text));
    fresh += 1;
  }
  if (fresh > 0) writeFileSync(file, JSON.stringify([...known]));
  const lexicon = makeLexicon();
  const sheets = new Map<string, FileSheet>();
  return {
    lexicon,
    text: (blob) => texts.get(blob),
    sheet(blob) {
      const ready = sheets.get(blob);
      if (ready !== undefined) return ready;
      const text = texts.get(blob);
      if (text === undefined) return undefined;
      const made = makeSheet(text, known.get(blob)!, lexicon);
      sheets.set(blob, made);
      return made;
    },
  };
}

async function leanOutline(path: string, text: string): Promise<FileOutline> {
  const { symbols, imports } = await outline(path, text);
  return {
    symbols: symbols.map(({ name, kind, startLine, endLine }) => ({ name, kind, startLine, endLine })),
    imports: imports.map((line) => line.module),
  };
}
