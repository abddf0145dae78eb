// galley alone: the plan of the current change, or a first page where there is no repository.
import { isGalleyError } from '../../core/model/error.js';
import { galleyVersion } from '../../core/model/version.js';
import { colours } from './colours.js';
import { programFor } from './program.js';
import { pairs } from './table.js';
import { word } from './words/word.js';

export async function frontPage(): Promise<void> {
  try {
    await programFor('review').parseAsync(['review'], { from: 'user' });
  } catch (error) {
    if (!isGalleyError(error) || error.code !== 'NOT_A_REPOSITORY') throw error;
    process.stdout.write(firstPage());
  }
}

function firstPage(): string {
  const tries: [string, string][] = [
    ['galley review', word('first.review')],
    ['galley agent --message "Hi"', word('first.agent')],
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
