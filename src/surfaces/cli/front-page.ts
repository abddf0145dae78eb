// galley alone where there is no repository: what it is, and where to begin.
import { galleyVersion } from '../../core/model/version.js';
import { colours } from './terminal/colours.js';
import { pairs } from './terminal/table.js';
import { word } from './words/word.js';

export function frontPage(): string {
  const tries: [string, string][] = [
    ['galley review', word('first.review')],
    ['galley write', word('first.write')],
    ['galley agent', word('first.agent')],
    ['galley doctor', word('first.doctor')],
  ];
  return [
    colours.bold(word('first.title', { version: galleyVersion })),
    word('first.about'),
    '',
    word('first.where'),
    '',
    pairs(tries, '  '),
    word('first.more'),
    '',
  ].join('\n');
}
