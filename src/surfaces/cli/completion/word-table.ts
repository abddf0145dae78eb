// What both POSIX shells look up: one function that prints the words for a spot, in the syntax bash and zsh share.
import { listRevisions, type Spot } from './spots.js';

/** Keys: "<spot> commands", "<spot> flags", "<spot> takes", "<spot> revisions", "<spot> <flag>", "<spot> <number of the argument>". */
export function wordTable(spots: readonly Spot[]): string {
  const rows = spots.flatMap(({ path, commands, flags, places }) => {
    const names = flags.flatMap(({ long, short }) => [long, ...(short === undefined ? [] : [short])]);
    const taking = flags.filter(({ takesValue }) => takesValue);
    return [
      [`${path} commands`, commands.map(({ name }) => name)],
      [`${path} flags`, names],
      [`${path} takes`, taking.flatMap(({ long, short }) => [long, ...(short === undefined ? [] : [short])])],
      [`${path} revisions`, flags.filter(({ revision }) => revision).map(({ long }) => long)],
      ...taking.map(({ long, values }) => [`${path} ${long}`, values]),
      ...places.map((values, index) => [`${path} ${index}`, values]),
    ] as [string, readonly string[]][];
  });
  const cases = rows
    .filter(([, words]) => words.length > 0)
    .map(([key, words]) => `    ${quoted(key)}) echo ${quoted(words.join(' '))};;`);
  const words = `_galley_words() {\n  case "$1" in\n${cases.join('\n')}\n  esac\n}`;
  return `${words}\n\n_galley_revisions() {\n  ${listRevisions}\n}`;
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
