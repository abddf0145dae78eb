// Words like @notes.md: some CLIs read the file that such a word names and change the prompt. Nothing keeps them from it, so a
// prompt with a word that names something is refused; a word that names nothing passes.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { GalleyError } from '../../core/model/error.js';
import type { AgentCli } from './agent-cli.js';

interface MentionPlace {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export async function refuseMentions(cli: AgentCli, prompt: string, place: MentionPlace): Promise<void> {
  for (const { word } of mentionsIn(cli, prompt)) {
    if (cli.mentions?.isKnown?.(word) !== true && (await namedBy(word, place)) === undefined) continue;
    throw new GalleyError(
      'INVALID_ARGUMENT',
      `${cli.title} would not read @${word.slice(0, 200)} as a word but as what it names, and change the prompt; write it without the @.`,
      { details: { field: 'currentMessage', cli: cli.name, reason: 'mention' } },
    );
  }
}

/** The text with a reference, which no CLI reads, in the place of each word that this one would read as what it names. */
export async function withReferences(
  cli: AgentCli,
  text: string,
  { refer, ...place }: MentionPlace & { refer(path: string): string },
): Promise<string> {
  const parts: string[] = [];
  let from = 0;
  for (const { at, whole, word } of mentionsIn(cli, text)) {
    const path = await namedBy(word, place);
    if (path === undefined) continue;
    const behind = word.startsWith(path) ? word.slice(path.length) : '';
    parts.push(text.slice(from, at), refer(path), behind);
    from = at + whole.length;
  }
  return [...parts, text.slice(from)].join('');
}

interface Mention {
  readonly at: number;
  readonly whole: string;
  readonly word: string;
}

function mentionsIn({ mentions }: AgentCli, text: string): Mention[] {
  if (mentions === undefined) return [];
  return [...text.matchAll(mentions.pattern)].map((found) => ({
    ...{ at: found.index, whole: found[0], word: found.findLast((part) => part !== undefined) ?? '' },
  }));
}

/** The path behind a word, where there is something. */
async function namedBy(word: string, { folder, environment }: MentionPlace): Promise<string | undefined> {
  const home = environment.HOME ?? environment.USERPROFILE;
  for (const path of readings(word)) {
    const isOfHome = home !== undefined && /^~(?:[/\\]|$)/.test(path);
    const found = isOfHome ? resolve(home, `.${path.slice(1)}`) : resolve(folder, path);
    const isThere = await stat(found).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
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
