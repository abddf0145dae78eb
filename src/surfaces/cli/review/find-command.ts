// galley find: a task in words in, the files and lines it needs out, as text for a model or for a person.
import { runOperation } from '../shell/local-context.js';
import { readStdin, wholeNumber } from '../shell/read-input.js';
import { warningText } from '../terminal/explain-receipt.js';
import { printJson } from '../terminal/talk.js';
import { counted, word } from '../words/word.js';

export interface FindOptions {
  readonly repo: string;
  readonly in: readonly string[];
  readonly at?: string;
  readonly budget: string;
  readonly files: string;
  readonly from?: string;
  readonly json?: boolean;
}

export async function findCommand(words: readonly string[], options: FindOptions): Promise<void> {
  const { repo, at, from } = options;
  const query = await taskOf(words);
  const found = await runOperation('code:find', {
    ...{ repo, query },
    ...(options.in.length === 0 ? {} : { paths: options.in }),
    ...(at === undefined ? {} : { at }),
    budget: { tokens: wholeNumber(options.budget, '--budget', 200) },
    limit: wholeNumber(options.files, '--files', 1),
    ...(from === undefined ? {} : { from: wholeNumber(from, '--from', 1) }),
  });
  if (options.json) {
    printJson(found);
    return;
  }
  for (const warning of found.warnings)
    process.stderr.write(`galley: ${warningText(warning)} (${warning.code})\n`);
  if (found.files.length === 0) {
    const past = word('find.past', { files: counted(found.found, 'file') });
    process.stderr.write(`${found.found === 0 ? word('find.nothing') : past}\n`);
    return;
  }
  process.stdout.write(`${found.text}\n`);
  if (found.next !== undefined)
    process.stderr.write(
      `\n${word('find.more', { files: counted(found.found - found.next + 1, 'file'), from: found.next })}\n`,
    );
}

async function taskOf(words: readonly string[]): Promise<string> {
  const said = words.join(' ').trim();
  const isPiped = said === '-' || (words.length === 0 && !process.stdin.isTTY);
  return isPiped ? readStdin() : said;
}
