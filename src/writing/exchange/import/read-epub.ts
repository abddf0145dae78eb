// An EPUB as chapters: the files of its spine in their order. Its title page and its navigation are not text of the book.
import { posix } from 'node:path';
import { GalleyError, type Warning } from '../../../core/model/error.js';
import { type Block, isSceneMark, joinedSpans, type Span, wordsOf } from '../book/blocks.js';
import { writeMarkdown } from '../book/write-markdown.js';
import { fieldCounter, type GivenFile, type Incoming, importWarning } from './incoming.js';
import { withFoundHeadings } from './read-docx.js';
import { walkXml, type XmlElement } from './read-xml.js';
import { readZip, type ZipFile } from './read-zip.js';
import { splitChapters } from './split-chapters.js';

export function isEpub(files: readonly ZipFile[]): boolean {
  return files.some(({ path }) => path === 'META-INF/container.xml');
}

export function readEpub(file: GivenFile): Incoming {
  const { files } = readZip(file.bytes, file.name);
  const part = (path: string): Uint8Array => {
    const found = files.find((each) => each.path === path);
    if (found !== undefined) return found.read();
    throw new GalleyError(
      'FILE_UNREADABLE',
      `${file.name} cannot be read: a file that it names is not in it.`,
      {
        details: { path: file.name },
      },
    );
  };
  if (files.some(({ path }) => path === 'META-INF/encryption.xml'))
    throw new GalleyError(
      'FILE_UNREADABLE',
      `${file.name} cannot be read: it is locked or has hidden fonts.`,
      {
        details: { path: file.name },
      },
    );
  let root = '';
  walkXml(part('META-INF/container.xml'), file.name, {
    ...silent,
    open: (element) => {
      if (element.name === 'rootfile') root ||= element.attribute('full-path') ?? '';
    },
  });
  const { title, paths } = readPackage(part(root), root, file.name);
  const counts = { pictures: 0, readings: 0 };
  const blocks = paths.flatMap((path) => readPage(part(path), file.name, counts));
  const parts = splitChapters(writeMarkdown(withFoundHeadings(blocks)));
  const fields = fieldCounter();
  if (title !== undefined) fields.add('dc:title', 'book title');
  fields.add('spine', 'chapter', parts.length);
  const warnings: Warning[] = [];
  if (counts.pictures > 0)
    warnings.push(
      importWarning(
        'PICTURES_LEFT_OUT',
        `${file.name} has ${counts.pictures} pictures, which were left out.`,
        file.name,
      ),
    );
  if (counts.readings > 0)
    warnings.push(
      importWarning(
        'READINGS_LEFT_OUT',
        `${counts.readings} readings above characters were left out.`,
        file.name,
      ),
    );
  return {
    format: 'epub',
    ...(title === undefined ? {} : { title }),
    chapters: parts.map((each) => ({ ...each, format: 'md' as const })),
    cards: [],
    kept: [],
    fields: fields.rows(),
    warnings,
  };
}

const silent = { open: () => undefined, close: () => undefined, text: () => undefined };

function readPackage(bytes: Uint8Array, root: string, name: string): { title?: string; paths: string[] } {
  const pages = new Map<string, string>();
  const spine: string[] = [];
  let title = '';
  let isTitle = false;
  walkXml(bytes, name, {
    open: (element) => {
      isTitle = element.name === 'title' && title === '';
      if (element.name === 'item' && !/\bnav\b/.test(element.attribute('properties') ?? ''))
        pages.set(element.attribute('id') ?? '', element.attribute('href') ?? '');
      else if (element.name === 'itemref') spine.push(element.attribute('idref') ?? '');
    },
    close: () => {
      isTitle = false;
    },
    text: (text) => {
      if (isTitle) title += text;
    },
  });
  const paths = spine.flatMap((id) => {
    const href = pages.get(id);
    return href === undefined ? [] : [posix.join(posix.dirname(root), decoded(href))];
  });
  return { ...(title.trim() === '' ? {} : { title: title.trim() }), paths };
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

const own = new Set([
  'p',
  'div',
  'li',
  'blockquote',
  'section',
  'article',
  'td',
  'th',
  'dd',
  'dt',
  'pre',
  'figcaption',
  'body',
]);
const unseen = new Set(['head', 'rt', 'rp', 'script', 'style', 'svg', 'nav']);

function readPage(bytes: Uint8Array, name: string, counts: { pictures: number; readings: number }): Block[] {
  const blocks: Block[] = [];
  let spans: Span[] = [];
  let [hidden, emphasis, strong, quoted] = [0, 0, 0, 0];
  let isTitlePage = false;
  const flush = (heading?: number) => {
    const line = trimmed(joinedSpans(spans));
    spans = [];
    if (line.length === 0) return;
    if (heading !== undefined) blocks.push({ kind: 'heading', level: heading, spans: line });
    else if (isSceneMark(wordsOf({ kind: 'paragraph', spans: line })))
      blocks.push({ kind: 'break', mark: wordsOf({ kind: 'paragraph', spans: line }) });
    else blocks.push({ kind: 'paragraph', spans: line, ...(quoted > 0 ? { quoted: true } : {}) });
  };
  const level = (tag: string) => (/^h[1-6]$/.test(tag) ? Number(tag[1]) : undefined);
  const turn = ({ name: tag }: { name: string }, by: 1 | -1) => {
    if (unseen.has(tag)) hidden += by;
    else if (tag === 'em' || tag === 'i') emphasis += by;
    else if (tag === 'strong' || tag === 'b') strong += by;
    else if (tag === 'blockquote') quoted += by;
  };
  walkXml(bytes, name, {
    open: (element: XmlElement) => {
      const { name: tag } = element;
      if (/\btitlepage\b/.test(element.attribute('epub:type') ?? '')) isTitlePage = true;
      if (own.has(tag) || level(tag) !== undefined || tag === 'br' || tag === 'hr') flush();
      turn(element, 1);
      if (tag === 'img') counts.pictures += 1;
      if (tag === 'rt') counts.readings += 1;
      if (tag === 'hr') blocks.push({ kind: 'break', mark: '***' });
      if (tag === 'p' && element.attribute('class') === 'room') blocks.push({ kind: 'break', mark: '' });
    },
    close: (tag) => {
      if (own.has(tag) || level(tag) !== undefined) flush(level(tag));
      turn({ name: tag }, -1);
    },
    text: (text) => {
      if (hidden === 0)
        spans.push({
          text: text.replace(/[\t\n\r ]+/g, ' '),
          ...(emphasis > 0 ? { emphasis: true } : {}),
          ...(strong > 0 ? { strong: true } : {}),
        });
    },
  });
  return isTitlePage ? [] : blocks;
}

/** Blanks around a line are the layout of the file. */
function trimmed(spans: readonly Span[]): Span[] {
  const line = spans.map((span) => ({ ...span }));
  const [first, last] = [line[0], line.at(-1)];
  if (first !== undefined) first.text = first.text.replace(/^ +/, '');
  if (last !== undefined) last.text = last.text.replace(/ +$/, '');
  return line.filter(({ text }) => text !== '');
}
