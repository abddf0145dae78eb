// The book as a Word file: a title page, headings that Word lists as contents, indented paragraphs. Loaded only when one is asked for.
import {
  AlignmentType,
  Document,
  HeadingLevel,
  type IParagraphOptions,
  Packer,
  Paragraph,
  TextRun,
} from 'docx';
import { unzipSync } from 'fflate';
import type { Block } from '../book/blocks.js';
import type { OutgoingBook } from './gather-book.js';
import { packZip, xmlText } from './pack-zip.js';

const headings = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
];

export async function writeDocx(book: OutgoingBook): Promise<Uint8Array> {
  const isChinese = book.language.startsWith('zh');
  const font = isChinese
    ? { ascii: 'Times New Roman', hAnsi: 'Times New Roman', eastAsia: 'SimSun' }
    : { name: 'Times New Roman' };
  const document = new Document({
    title: xmlText(book.title),
    creator: xmlText(book.author ?? ''),
    lastModifiedBy: '',
    styles: {
      default: {
        document: {
          run: {
            font,
            size: 24,
            language: isChinese ? { value: 'en-US', eastAsia: 'zh-CN' } : { value: 'en-US' },
          },
        },
        title: {
          run: { size: 52, bold: true },
          paragraph: { alignment: AlignmentType.CENTER, spacing: { before: 4800 } },
        },
        heading1: headingStyle(36),
        heading2: headingStyle(32),
        heading3: headingStyle(28),
      },
      paragraphStyles: [
        {
          id: 'Author',
          name: 'Author',
          basedOn: 'Normal',
          paragraph: { alignment: AlignmentType.CENTER, spacing: { before: 400 } },
        },
        {
          id: 'BookText',
          name: 'Book Text',
          basedOn: 'Normal',
          paragraph: { indent: { firstLine: isChinese ? 480 : 360 }, spacing: { line: 360 } },
        },
        { id: 'Quote', name: 'Quote', basedOn: 'Normal', paragraph: { indent: { left: 720, right: 720 } } },
      ],
    },
    sections: [
      { children: [...titlePage(book), ...book.chapters.flatMap(({ blocks }) => chapterOf(blocks))] },
    ],
  });
  return withoutClock(new Uint8Array(await Packer.toBuffer(document)), book.modified);
}

function headingStyle(size: number) {
  return {
    run: { size, bold: true, color: '000000' },
    paragraph: { alignment: AlignmentType.CENTER, spacing: { before: 480, after: 360 } },
  };
}

function titlePage({ title, author }: OutgoingBook): Paragraph[] {
  const name = new Paragraph({ heading: HeadingLevel.TITLE, children: [new TextRun(xmlText(title))] });
  return author === undefined
    ? [name]
    : [name, new Paragraph({ style: 'Author', children: [new TextRun(xmlText(author))] })];
}

function chapterOf(blocks: readonly Block[]): Paragraph[] {
  return blocks.map((block, index) => {
    const pageBreakBefore = index === 0;
    if (block.kind === 'break')
      return new Paragraph({
        pageBreakBefore,
        alignment: AlignmentType.CENTER,
        children: [new TextRun(xmlText(block.mark))],
      });
    return new Paragraph({
      ...lookOf(block),
      pageBreakBefore,
      children: block.spans.map(
        ({ text, emphasis, strong }) =>
          new TextRun({
            text: xmlText(text),
            ...(emphasis === true ? { italics: true } : {}),
            ...(strong === true ? { bold: true } : {}),
          }),
      ),
    });
  });
}

function lookOf(block: Exclude<Block, { kind: 'break' }>): IParagraphOptions {
  if (block.kind === 'heading') return { heading: headings[block.level - 1] ?? HeadingLevel.HEADING_6 };
  return { style: block.quoted === true ? 'Quote' : 'BookText' };
}

/** The library writes down when it ran; the same book is to be the same file. */
function withoutClock(bytes: Uint8Array, modified: number): Uint8Array {
  const time = new Date(modified).toISOString();
  const { '[Content_Types].xml': types, ...files } = unzipSync(bytes);
  // Programs that only look at the beginning know the file by its types.
  const ordered = types === undefined ? files : { '[Content_Types].xml': types, ...files };
  return packZip(
    Object.entries(ordered).map(([path, content]) => ({
      path,
      content:
        path === 'docProps/core.xml'
          ? new TextDecoder()
              .decode(content)
              .replace(/(<dcterms:(?:created|modified)[^>]*>)[^<]*/g, `$1${time}`)
          : content,
    })),
  );
}
