// The parts of a Word file around its text: which styles are headings, and what comments and notes say.
import { walkXml, type XmlElement } from './read-xml.js';

export type ParagraphStyle =
  | { readonly kind: 'heading'; readonly level: number }
  | { readonly kind: 'title' | 'contents' | 'quote' };

interface Style {
  name: string;
  basedOn?: string;
  outline?: number;
}

/** By the id of the style. Ids are translated by some programs, names are not; a style may only say what it is based on. */
export function readDocxStyles(bytes: Uint8Array, name: string): Map<string, ParagraphStyle> {
  const styles = new Map<string, Style>();
  let open: Style | undefined;
  walkXml(bytes, name, {
    open: (element) => {
      if (element.name === 'style') {
        open = { name: '' };
        styles.set(element.attribute('styleId') ?? '', open);
      } else if (open !== undefined) readStyle(open, element);
    },
    close: (tag) => {
      if (tag === 'style') open = undefined;
    },
    text: () => undefined,
  });
  const found = new Map<string, ParagraphStyle>();
  for (const id of styles.keys()) {
    const style = meaning(id, styles);
    if (style !== undefined) found.set(id, style);
  }
  return found;
}

function readStyle(style: Style, element: XmlElement): void {
  const value = element.attribute('val') ?? '';
  if (element.name === 'name') style.name = value;
  else if (element.name === 'basedOn') style.basedOn = value;
  else if (element.name === 'outlineLvl' && /^[0-8]$/.test(value)) style.outline = Number(value);
}

const deepestBase = 12;

function meaning(id: string, styles: ReadonlyMap<string, Style>): ParagraphStyle | undefined {
  let style = styles.get(id);
  for (let depth = 0; style !== undefined && depth < deepestBase; depth += 1) {
    const own = styleNamed(style.name);
    if (own !== undefined) return own;
    if (style.outline !== undefined) return { kind: 'heading', level: Math.min(6, style.outline + 1) };
    style = style.basedOn === undefined ? undefined : styles.get(style.basedOn);
  }
  return undefined;
}

export function styleNamed(name: string): ParagraphStyle | undefined {
  const level = /^(?:heading|标题|標題)\s*([1-9])$/iu.exec(name)?.[1];
  if (level !== undefined) return { kind: 'heading', level: Math.min(6, Number(level)) };
  if (/^(?:title|subtitle|author|标题|副标题)$/iu.test(name)) return { kind: 'title' };
  if (/^(?:toc\s*(?:[1-9]|heading)|目录\s*[1-9])$/iu.test(name)) return { kind: 'contents' };
  return /^(?:intense )?quote$/iu.test(name) ? { kind: 'quote' } : undefined;
}

/** The words of each comment or note; separators that Word keeps among its notes are none. */
export function readDocxNotes(bytes: Uint8Array, name: string): string[] {
  const notes: string[] = [];
  let words: string | undefined;
  let isText = false;
  walkXml(bytes, name, {
    open: (element) => {
      const isNote = /^(?:comment|footnote|endnote)$/.test(element.name);
      if (isNote && !/eparator/.test(element.attribute('type') ?? '')) words = '';
      else if (element.name === 'p' && words !== undefined && words !== '') words += '\n';
      isText = element.name === 't';
    },
    close: (tag) => {
      isText = false;
      if (!/^(?:comment|footnote|endnote)$/.test(tag) || words === undefined) return;
      if (words.trim() !== '') notes.push(words.trim());
      words = undefined;
    },
    text: (text) => {
      if (isText && words !== undefined) words += text;
    },
  });
  return notes;
}
