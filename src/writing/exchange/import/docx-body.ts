// The text of a Word file: paragraphs with their looks, what was inserted in, what was deleted out.
import { type Block, isSceneMark, joinedSpans, type Span } from '../book/blocks.js';
import { type ParagraphStyle, styleNamed } from './docx-parts.js';
import { walkXml, type XmlElement } from './read-xml.js';

export interface DocxBody {
  readonly title?: string;
  readonly blocks: readonly Block[];
  readonly inserted: number;
  readonly deleted: number;
  readonly comments: number;
  readonly footnotes: number;
  readonly pictures: number;
  readonly tables: number;
  /** Lines of a table of contents, which are none of the text. */
  readonly contents: number;
}

/** Elements whose text is not part of the accepted document. `Fallback` says once more what stands beside it. */
const skipped = new Set(['del', 'moveFrom', 'Fallback', 'instrText', 'delText', 'pict', 'txbxContent']);
const counted: Readonly<
  Record<string, 'comments' | 'footnotes' | 'pictures' | 'tables' | 'inserted' | 'deleted'>
> = {
  commentReference: 'comments',
  footnoteReference: 'footnotes',
  endnoteReference: 'footnotes',
  drawing: 'pictures',
  tbl: 'tables',
  ins: 'inserted',
  moveTo: 'inserted',
  del: 'deleted',
  moveFrom: 'deleted',
};
const signs: Readonly<Record<string, string>> = { tab: '\t', noBreakHyphen: '\u2011' };

interface Paragraph {
  spans: Span[][];
  style?: ParagraphStyle;
  /** Its end was deleted, so the next one goes on in it. */
  isOpen: boolean;
}

export function readDocxBody(
  bytes: Uint8Array,
  name: string,
  styles: ReadonlyMap<string, ParagraphStyle>,
): DocxBody {
  const counts = { inserted: 0, deleted: 0, comments: 0, footnotes: 0, pictures: 0, tables: 0, contents: 0 };
  const titles: string[] = [];
  const blocks: Block[] = [];
  const within: string[] = [];
  let depth = 0;
  let paragraph: Paragraph | undefined;
  let look: Omit<Span, 'text'> = {};
  let isText = false;

  const add = (text: string) => paragraph?.spans.at(-1)?.push({ text, ...look });
  const open = (element: XmlElement) => {
    const { name: tag } = element;
    const parent = within.at(-1);
    within.push(tag);
    // Marks of a change to the paragraph itself stand among its properties and hold nothing.
    const isMark = parent === 'rPr' && (tag === 'ins' || tag === 'del' || tag === 'moveFrom');
    if (isMark) {
      if (tag !== 'ins' && within.includes('pPr') && paragraph !== undefined) paragraph.isOpen = true;
      return;
    }
    const kind = counted[tag];
    if (kind !== undefined && depth === 0) counts[kind] += 1;
    if (skipped.has(tag)) depth += 1;
    if (depth > 0) return;
    if (tag === 'p')
      paragraph =
        paragraph?.isOpen === true ? { ...paragraph, isOpen: false } : { spans: [[]], isOpen: false };
    else if (tag === 'r') look = {};
    else if (tag === 't') isText = true;
    else if (parent === 'pPr' && paragraph !== undefined) readStyle(paragraph, element, styles);
    else if (parent === 'rPr' && !within.includes('pPr')) look = { ...look, ...lookOf(element) };
    else if (tag === 'br' || tag === 'cr') {
      if ((element.attribute('type') ?? 'textWrapping') === 'textWrapping') paragraph?.spans.push([]);
    } else if (parent === 'r' && signs[tag] !== undefined) add(signs[tag]);
    else if (tag === 'sym') add(symbolOf(element.attribute('char')));
  };
  const close = (tag: string) => {
    within.pop();
    if (skipped.has(tag) && depth > 0 && !(within.at(-1) === 'rPr')) depth -= 1;
    if (tag === 't') isText = false;
    if (tag !== 'p' || depth > 0 || paragraph === undefined || paragraph.isOpen) return;
    finish(paragraph);
    paragraph = undefined;
  };
  const finish = ({ spans, style }: Paragraph) => {
    const lines = spans.map(joinedSpans);
    const words = lines
      .map((line) => line.map(({ text }) => text).join(''))
      .join(' ')
      .trim();
    if (style?.kind === 'contents') counts.contents += words === '' ? 0 : 1;
    else if (style?.kind === 'title' && blocks.length === 0) {
      if (words !== '') titles.push(words);
    } else if (style?.kind === 'heading' && words !== '')
      blocks.push({ kind: 'heading', level: style.level, spans: lines.flat() });
    else for (const line of lines) pushLine(line, style?.kind === 'quote');
  };
  const pushLine = (line: readonly Span[], quoted: boolean) => {
    const words = line
      .map(({ text }) => text)
      .join('')
      .trim();
    if (words === '') {
      if (blocks.at(-1)?.kind === 'paragraph') blocks.push({ kind: 'break', mark: '' });
    } else if (isSceneMark(words)) {
      const last = blocks.at(-1);
      if (last?.kind === 'break' && last.mark === '') blocks.pop();
      blocks.push({ kind: 'break', mark: words });
    } else blocks.push({ kind: 'paragraph', spans: line, ...(quoted ? { quoted } : {}) });
  };

  walkXml(bytes, name, { open, close, text: (text) => (isText && depth === 0 ? add(text) : undefined) });
  if (paragraph !== undefined) finish(paragraph);
  return { ...(titles[0] === undefined ? {} : { title: titles[0] }), blocks: regular(blocks), ...counts };
}

/** Where every paragraph is followed by an empty one, that is the room between paragraphs and no scene ends there. */
function regular(blocks: readonly Block[]): Block[] {
  const empty = blocks.filter((block) => block.kind === 'break' && block.mark === '').length;
  const words = blocks.filter(({ kind }) => kind === 'paragraph').length;
  const isRegular = empty * 2 > words;
  return blocks.filter((block, index) => {
    if (block.kind !== 'break' || block.mark !== '') return true;
    return !isRegular && blocks[index + 1]?.kind === 'paragraph';
  });
}

function readStyle(
  paragraph: Paragraph,
  element: XmlElement,
  styles: ReadonlyMap<string, ParagraphStyle>,
): void {
  const value = element.attribute('val') ?? '';
  const style = element.name === 'pStyle' ? (styles.get(value) ?? styleNamed(value)) : undefined;
  if (style !== undefined) paragraph.style = style;
  else if (element.name === 'outlineLvl' && /^[0-5]$/.test(value))
    paragraph.style = { kind: 'heading', level: Number(value) + 1 };
}

function lookOf(element: XmlElement): Omit<Span, 'text'> {
  const isOn = !/^(?:0|false|off|none)$/.test(element.attribute('val') ?? '');
  if (element.name === 'i') return { emphasis: isOn };
  return element.name === 'b' ? { strong: isOn } : {};
}

function symbolOf(code: string | undefined): string {
  const value = Number.parseInt(code ?? '', 16);
  return Number.isInteger(value) && value >= 0x20 && value < 0xd800 ? String.fromCodePoint(value) : '\u25a1';
}
