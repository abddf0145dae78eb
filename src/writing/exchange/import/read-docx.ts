// A Word file as chapters: the text as it would stand with every tracked change accepted. Comments and notes are kept beside the
// book; what has no words (pictures) is counted and named.
import { GalleyError, type Warning } from '../../../core/model/error.js';
import { type Block, wordsOf } from '../book/blocks.js';
import { writeMarkdown } from '../book/write-markdown.js';
import { type DocxBody, readDocxBody } from './docx-body.js';
import { readDocxNotes, readDocxStyles } from './docx-parts.js';
import { fieldCounter, type GivenFile, type Incoming, importWarning, type KeptFile } from './incoming.js';
import { baseName } from './read-tavern.js';
import { readZip, type ZipFile } from './read-zip.js';
import { splitChapters } from './split-chapters.js';

export function readDocx(file: GivenFile): Incoming {
  const { files } = readZip(file.bytes, file.name);
  const part = (path: string) => files.find((each) => each.path === path)?.read();
  const document = part(mainPart(files));
  if (document === undefined)
    throw new GalleyError('FILE_UNREADABLE', `${file.name} cannot be read: it is no Word document.`, {
      details: { path: file.name },
    });
  const styles = part('word/styles.xml');
  const body = readDocxBody(
    document,
    file.name,
    styles === undefined ? new Map() : readDocxStyles(styles, file.name),
  );
  const fields = fieldCounter();
  const kept = notesOf(part, file.name, fields);
  if (body.title !== undefined) fields.add('Title', 'book title');
  const parts = splitChapters(writeMarkdown(withFoundHeadings(body.blocks)));
  fields.add('text', 'chapter', parts.length);
  return {
    format: 'docx',
    ...(body.title === undefined ? {} : { title: body.title }),
    chapters: parts.map((each) => ({ ...each, format: 'md' as const })),
    cards: [],
    kept,
    fields: fields.rows(),
    warnings: warningsOf(body, file.name),
  };
}

function mainPart(files: readonly ZipFile[]): string {
  return files.find(({ path }) => /^word\/document\d*\.xml$/.test(path))?.path ?? 'word/document.xml';
}

/** Without styles the words say what is a heading, as in a plain text. */
export function withFoundHeadings(blocks: readonly Block[]): Block[] {
  if (blocks.some(({ kind }) => kind === 'heading')) return [...blocks];
  const text = blocks.map((block) => wordsOf(block).replaceAll('\n', ' ')).join('\n');
  const found = splitChapters(text, 'txt');
  const starts = new Map<number, number>();
  let line = 0;
  let volume: string | undefined;
  for (const part of found) {
    const isVolume = part.volume !== volume;
    volume = part.volume;
    if (part.title !== undefined || isVolume) starts.set(line, isVolume ? 1 : 2);
    line += part.text.split('\n').length - 1;
  }
  return blocks.map((block, index) => {
    const level = starts.get(index);
    return level === undefined || block.kind === 'break'
      ? block
      : { kind: 'heading', level, spans: block.spans };
  });
}

function notesOf(
  part: (path: string) => Uint8Array | undefined,
  name: string,
  fields: ReturnType<typeof fieldCounter>,
): KeptFile[] {
  const notes: Record<string, readonly string[]> = {};
  for (const kind of ['comments', 'footnotes', 'endnotes'] as const) {
    const bytes = part(`word/${kind}.xml`);
    const texts = bytes === undefined ? [] : readDocxNotes(bytes, name);
    if (texts.length === 0) continue;
    notes[kind] = texts;
    fields.add(kind, 'kept beside', texts.length);
  }
  if (Object.keys(notes).length === 0) return [];
  return [{ path: `${baseName(name)}.notes.json`, text: `${JSON.stringify(notes, null, 2)}\n` }];
}

function warningsOf(body: DocxBody, name: string): Warning[] {
  const { inserted, deleted, comments, footnotes, pictures, contents, tables } = body;
  const warnings: Warning[] = [];
  const say = (code: string, message: string) => warnings.push(importWarning(code, message, name));
  if (inserted + deleted > 0)
    say(
      'TRACKED_CHANGES',
      `${name} has tracked changes; its text is taken as if all were accepted (${inserted} insertions in, ${deleted} deletions out).`,
    );
  if (comments > 0)
    say('COMMENTS_KEPT', `${name} has ${comments} comments; they are kept beside the book, not in its text.`);
  if (footnotes > 0)
    say(
      'FOOTNOTES_KEPT',
      `${name} has ${footnotes} footnotes or endnotes; they are kept beside the book, not in its text.`,
    );
  if (pictures > 0)
    say('PICTURES_LEFT_OUT', `${name} has ${pictures} pictures or drawings, which were left out.`);
  if (tables > 0) say('TABLES_AS_TEXT', `${name} has ${tables} tables; their cells became paragraphs.`);
  if (contents > 0)
    say('CONTENTS_LEFT_OUT', `${name} has a table of contents of ${contents} lines, which was left out.`);
  return warnings;
}
