// galley write index: brings the store abreast of the folder and says what changed.

import { GalleyError } from '../../core/model/error.js';
import { colours } from './colours.js';
import { padded } from './table.js';
import { word } from './words/word.js';
import { atDesk, print, printJson, sayWarnings, type WriteOptions } from './write-desk.js';

const mostShown = 20;

export async function writeIndex(options: WriteOptions): Promise<void> {
  await atDesk(options, 'writes', async (desk) => {
    const followed = await desk.follow();
    if (followed === undefined) {
      throw new GalleyError(
        'FORBIDDEN',
        'This folder belongs to another project of the store; name that project with --project.',
      );
    }
    if (desk.json) return printJson(followed);
    const { chapters, changed, forgotten, constraints, entities, warnings } = followed;
    for (const path of changed.slice(0, mostShown))
      print(`  ${colours.green(padded(word('write.read'), 6))}  ${path}\n`);
    if (changed.length > mostShown)
      print(`  ${colours.dim(word('count.more', { n: changed.length - mostShown }))}\n`);
    for (const path of forgotten) print(`  ${colours.yellow(padded(word('write.forgot'), 6))}  ${path}\n`);
    sayWarnings(warnings);
    const what =
      changed.length + forgotten.length === 0
        ? word('write.index-same')
        : word('write.index-changed', { read: changed.length, forgotten: forgotten.length });
    print(`${word('write.indexed', { chapters, constraints, entities, what })}\n`);
  });
}
