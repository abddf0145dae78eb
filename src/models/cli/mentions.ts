// Words like @notes.md: some CLIs read the file that such a word names and change the prompt. Nothing keeps them from it, so a
// prompt with a word that names something is refused; a word that names nothing passes.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { GalleyError } from '../../core/model/error.js';
import type { AgentCli } from './agent-cli.js';
import type { ChildEnvironment } from './child-environment.js';

interface MentionPlace {
  readonly folder: string;
  readonly environment: ChildEnvironment;
}

export async function refuseMentions(cli: AgentCli, prompt: string, place: MentionPlace): Promise<void> {
  for (const word of new Set(cli.mentions?.words(prompt))) {
    if (cli.mentions?.isKnown?.(word) !== true && !(await namesSomething(word, place))) continue;
    throw new GalleyError(
      'INVALID_ARGUMENT',
      `${cli.title} would not read @${word.slice(0, 200)} as a word but as what it names, and change the prompt; write it without the @.`,
      { details: { field: 'currentMessage', cli: cli.name, reason: 'mention' } },
    );
  }
}

async function namesSomething(word: string, { folder, environment }: MentionPlace): Promise<boolean> {
  const home = environment.HOME ?? environment.USERPROFILE;
  for (const path of readings(word)) {
    const isOfHome = home !== undefined && /^~(?:[/\\]|$)/.test(path);
    const found = isOfHome ? resolve(home, `.${path.slice(1)}`) : resolve(folder, path);
    const isThere = await stat(found).then(
      () => true,
      () => false,
    );
    if (isThere) return true;
  }
  return false;
}

/** What versions of the CLIs make of a word: without quotes, the range of lines behind it, the punctuation at its end. */
function readings(word: string): Set<string> {
  const bare = word.replaceAll('"', '').replace(/\\(.)/g, '$1');
  const all = [bare, word, word.replace(/#.*$/, '')].flatMap((text) => [
    text,
    text.replace(/[^\p{L}\p{N}_]+$/u, ''),
  ]);
  return new Set(all.filter((path) => /[\p{L}\p{N}_]/u.test(path) && !path.includes('\0')));
}
