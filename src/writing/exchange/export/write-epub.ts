// The book as EPUB 3: a title page, a page for each chapter, and its contents for new readers (nav) and old ones (ncx).
import { createHash } from 'node:crypto';
import { type Block, type Span, wordsOf } from '../book/blocks.js';
import type { OutgoingBook, OutgoingChapter } from './gather-book.js';
import { type PackedFile, packZip, xmlText } from './pack-zip.js';

export function writeEpub(book: OutgoingBook): Uint8Array {
  const pages = book.chapters.map((chapter, index) => ({
    id: `chapter-${String(index + 1).padStart(4, '0')}`,
    title: chapter.title,
    content: chapterPage(book, chapter),
  }));
  const files: PackedFile[] = [
    { path: 'mimetype', content: 'application/epub+zip', isStored: true },
    { path: 'META-INF/container.xml', content: container },
    { path: 'EPUB/package.opf', content: packageOf(book, pages) },
    { path: 'EPUB/nav.xhtml', content: navOf(book, pages) },
    { path: 'EPUB/toc.ncx', content: ncxOf(book, pages) },
    { path: 'EPUB/style.css', content: styleOf(book) },
    { path: 'EPUB/title.xhtml', content: titlePage(book) },
    ...pages.map(({ id, content }) => ({ path: `EPUB/${id}.xhtml`, content })),
  ];
  return packZip(files);
}

interface Page {
  readonly id: string;
  readonly title: string;
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

const container = `${declaration}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
  <rootfiles>
    <rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/>
  </rootfiles>
</container>
`;

function packageOf(book: OutgoingBook, pages: readonly Page[]): string {
  const modified = new Date(book.modified).toISOString().replace(/\.\d+Z$/, 'Z');
  const author = book.author === undefined ? '' : `\n    <dc:creator>${escaped(book.author)}</dc:creator>`;
  const items = pages.map(
    ({ id }) => `\n    <item id="${id}" href="${id}.xhtml" media-type="application/xhtml+xml"/>`,
  );
  return `${declaration}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="${escaped(book.language)}">
  <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
    <dc:identifier id="id">${identifierOf(book)}</dc:identifier>
    <dc:title>${escaped(book.title)}</dc:title>
    <dc:language>${escaped(book.language)}</dc:language>${author}
    <meta property="dcterms:modified">${modified}</meta>
  </metadata>
  <manifest>
    <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
    <item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
    <item id="style" href="style.css" media-type="text/css"/>
    <item id="title" href="title.xhtml" media-type="application/xhtml+xml"/>${items.join('')}
  </manifest>
  <spine toc="ncx">
    <itemref idref="title"/>${pages.map(({ id }) => `\n    <itemref idref="${id}"/>`).join('')}
  </spine>
</package>
`;
}

/** The same book has the same name, wherever it is made. */
function identifierOf({ title, author = '', chapters }: OutgoingBook): string {
  const hash = createHash('sha256').update(`${title}\n${author}`);
  for (const { blocks } of chapters) hash.update(blocks.map(wordsOf).join('\n'));
  const hex = hash.digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function navOf(book: OutgoingBook, pages: readonly Page[]): string {
  const label = book.language.startsWith('zh') ? '目录' : 'Contents';
  const items = pages
    .map(({ id, title }) => `      <li><a href="${id}.xhtml">${escaped(title)}</a></li>\n`)
    .join('');
  const first = '      <li><a href="title.xhtml">';
  return page(
    book,
    label,
    `  <nav epub:type="toc" id="toc">\n    <h1>${label}</h1>\n    <ol>\n${first}${escaped(book.title)}</a></li>\n${items}    </ol>\n  </nav>\n`,
  );
}

function ncxOf(book: OutgoingBook, pages: readonly Page[]): string {
  const points = [{ id: 'title', title: book.title }, ...pages].map(
    ({ id, title }, index) =>
      `    <navPoint id="point-${index + 1}" playOrder="${index + 1}"><navLabel><text>${escaped(title)}</text></navLabel><content src="${id}.xhtml"/></navPoint>\n`,
  );
  return `${declaration}<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1">
  <head><meta name="dtb:uid" content="${identifierOf(book)}"/></head>
  <docTitle><text>${escaped(book.title)}</text></docTitle>
  <navMap>
${points.join('')}  </navMap>
</ncx>
`;
}

function styleOf({ language }: OutgoingBook): string {
  const indent = language.startsWith('zh') ? '2em' : '1.2em';
  return `body { margin: 0 5%; line-height: 1.6; }
h1, h2, h3, h4, h5, h6 { text-align: center; font-weight: bold; margin: 2em 0 1.5em; }
p { margin: 0; text-indent: ${indent}; text-align: justify; }
h1 + p, h2 + p { text-indent: ${language.startsWith('zh') ? '2em' : '0'}; }
p.break { text-align: center; text-indent: 0; margin: 1em 0; }
p.room { text-indent: 0; min-height: 1em; }
blockquote { margin: 1em 2em; }
.titlepage { text-align: center; margin-top: 30%; }
.titlepage p { text-align: center; text-indent: 0; }
`;
}

function titlePage(book: OutgoingBook): string {
  const author = book.author === undefined ? '' : `\n    <p>${escaped(book.author)}</p>`;
  return page(
    book,
    book.title,
    `  <section class="titlepage" epub:type="titlepage">\n    <h1>${escaped(book.title)}</h1>${author}\n  </section>\n`,
  );
}

function chapterPage(book: OutgoingBook, { title, blocks }: OutgoingChapter): string {
  const body =
    blocks.length === 0 ? '    <p></p>\n' : blocks.map((block) => `    ${blockOf(block)}\n`).join('');
  return page(book, title, `  <section epub:type="chapter">\n${body}  </section>\n`);
}

function page({ language }: OutgoingBook, title: string, body: string): string {
  const tag = escaped(language);
  return `${declaration}<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="${tag}" xml:lang="${tag}">
<head>
  <title>${escaped(title)}</title>
  <link rel="stylesheet" type="text/css" href="style.css"/>
</head>
<body>
${body}</body>
</html>
`;
}

function blockOf(block: Block): string {
  if (block.kind === 'break')
    return block.mark === '' ? '<p class="room"></p>' : `<p class="break">${escaped(block.mark)}</p>`;
  const words = block.spans.map(spanOf).join('');
  if (block.kind === 'heading') return `<h${block.level}>${words}</h${block.level}>`;
  return block.quoted === true ? `<blockquote><p>${words}</p></blockquote>` : `<p>${words}</p>`;
}

function spanOf({ text, emphasis, strong }: Span): string {
  const words = escaped(text);
  const inner = strong === true ? `<strong>${words}</strong>` : words;
  return emphasis === true ? `<em>${inner}</em>` : inner;
}

function escaped(text: string): string {
  return (
    xmlText(text)
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      // Blanks in a row and tabs would be shown and read as one.
      .replaceAll('\t', '\u2003')
      .replace(/ {2,}/g, (blanks) => ` ${'\u00a0'.repeat(blanks.length - 1)}`)
  );
}
