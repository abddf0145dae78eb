// How often words stand in the files of a tree. One pattern for all of them: git walks the text once, however many there are.
import { escapePattern } from '../../core/model/escape-pattern.js';
import { pathText } from '../../git/process/path-text.js';
import { streamGit } from '../../git/process/run-git.js';
import type { Repository } from '../../git/repository/open-repository.js';

export interface CountQuestion {
  readonly words: readonly string[];
  readonly tree: string;
  wanted(path: string): boolean;
  readonly signal?: AbortSignal | undefined;
}

const wordsPerCall = 500;
// Each file is named once, above its words: most of what git would print otherwise is paths.
const flags = ['-I', '-z', '-o', '-w', '-E', '--full-name', '--no-color', '--heading'];

/** By word, then by path. */
export async function countWords(
  repository: Repository,
  { words, tree, wanted, signal }: CountQuestion,
): Promise<Map<string, Map<string, number>>> {
  const counts = new Map(words.map((word) => [word, new Map<string, number>()]));
  const byBytes = new Map([...counts].map(([word, files]) => [latin1(word), files]));
  const heading = `${tree}:`;
  for (let from = 0; from < words.length; from += wordsPerCall) {
    const pattern = words
      .slice(from, from + wordsPerCall)
      .map(escapePattern)
      .join('|');
    let path: string | undefined;
    // Exit code 1 means nothing was found.
    const answer = streamGit(repository.cleanRoom, ['grep', ...flags, '-e', pattern, tree, '--'], {
      ...{ accept: [1], signal },
    });
    for await (const lines of linesIn(answer))
      for (const line of lines) {
        if (line.startsWith(heading)) {
          const named = pathText(Buffer.from(line.slice(heading.length), 'latin1'));
          path = wanted(named) ? named : undefined;
        } else if (path !== undefined) {
          const files = byBytes.get(line);
          files?.set(path, (files.get(path) ?? 0) + 1);
        }
      }
  }
  return counts;
}

/** A character for each byte: slices of one long string are far cheaper than as many buffers. */
async function* linesIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    yield lines;
  }
  if (rest !== '') yield [rest];
}

function latin1(word: string): string {
  return Buffer.from(word, 'utf8').toString('latin1');
}
