// Walks an XML file element by element. Document types are refused with everything they could bring in: no entity is expanded
// but the few that every book uses.
import { SaxesParser } from 'saxes';
import { GalleyError } from '../../../core/model/error.js';
import { decodeText } from './decode-text.js';

export interface XmlElement {
  /** Without its prefix. */
  readonly name: string;
  attribute(name: string): string | undefined;
}

export interface XmlWalker {
  open(element: XmlElement): void;
  close(name: string): void;
  text(text: string): void;
}

const entities: Readonly<Record<string, string>> = {
  nbsp: '\u00a0',
  ensp: '\u2002',
  emsp: '\u2003',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  hellip: '…',
  middot: '·',
  copy: '©',
  eacute: 'é',
};

export function walkXml(bytes: Uint8Array, name: string, walker: XmlWalker): void {
  const parser = new SaxesParser();
  Object.assign(parser.ENTITIES, entities);
  parser.on('error', (cause) => {
    throw new GalleyError('FILE_UNREADABLE', `${name} cannot be read: its XML is damaged or cut off.`, {
      details: { path: name },
      cause,
    });
  });
  parser.on('opentag', ({ name: tag, attributes }) => {
    walker.open({
      name: local(tag),
      attribute: (own) => {
        const value = attributes[own] ?? Object.entries(attributes).find(([key]) => local(key) === own)?.[1];
        return value === undefined ? undefined : String(value);
      },
    });
  });
  parser.on('closetag', ({ name: tag }) => walker.close(local(tag)));
  parser.on('text', (text) => walker.text(text));
  parser.on('cdata', (text) => walker.text(text));
  parser.write(decodeText(bytes, name).text.replace(/<!DOCTYPE[^>[]*>/iu, '')).close();
}

function local(tag: string): string {
  return tag.slice(tag.indexOf(':') + 1);
}
