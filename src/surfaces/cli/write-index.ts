// galley write index: brings the store abreast of the folder and says what changed.

import { GalleyError } from '../../core/model/error.js';
import { colours } from './colours.js';
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
    for (const path of changed.slice(0, mostShown)) print(`  ${colours.green('read')}    ${path}\n`);
    if (changed.length > mostShown) print(`  ${colours.dim(`and ${changed.length - mostShown} more`)}\n`);
    for (const path of forgotten) print(`  ${colours.yellow('forgot')}  ${path}\n`);
    sayWarnings(warnings);
    const what =
      changed.length + forgotten.length === 0
        ? 'nothing changed'
        : `${changed.length} read, ${forgotten.length} forgotten`;
    print(`${chapters} chapters, ${constraints} constraints and ${entities} entities in files; ${what}.\n`);
  });
}
