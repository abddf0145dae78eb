// A session that began with a handed-over turn: what the user asked for stands quoted in that turn. It is read back out of it, so that the
// next agent is not told that the user said what an agent or a file said.

/** How every handed-over turn begins. */
export const handoffOpening = 'You take over work that another agent (';
export const requestsHeading = '## What the user asked for, word for word\n';
export const nowHeading = '## Now\n';
export const usualMessage = 'Go on from here with what is open. Look at the files before you change them.';

/** What a CLI is told where the turn goes by a file. */
export const readTheFile = (path: string): string =>
  `Read the file ${path} first, all of it: it hands over to you the work that another agent began here. Then go on with it.`;

const [beforePath = '', behindPath = ''] = readTheFile('\n').split('\n');

/** The file that holds the turn, where these are the words that name one. */
export function handoffFile(words: string): string | undefined {
  const text = words.trim();
  const isOne = text.startsWith(beforePath) && text.endsWith(behindPath);
  return isOne ? text.slice(beforePath.length, -behindPath.length) : undefined;
}

/** Lines after the first are set in, so that a quote ends where it looks like ending. */
export const quoted = (mark: string, text: string): string => `${mark} ${text.replaceAll('\n', '\n   ')}`;

/** The requests in a handed-over turn, word for word; undefined where the words are no such turn. */
export function handedRequests(words: string): string[] | undefined {
  const text = withoutNumbers(words).trim();
  if (!text.startsWith(handoffOpening)) return undefined;
  const message = behind(text, text.lastIndexOf(`\n\n${nowHeading}`), nowHeading);
  // Every other line at the margin is of the turn itself: quotes are set in, and so are the lines of a diff by their signs.
  const asked =
    behind(text, text.indexOf(`\n\n${requestsHeading}`), requestsHeading).split('\n\n## ')[0] ?? '';
  return [
    ...asked.split(/\n(?=\d+\. )/).map((quote) => quote.replace(/^\d+\. /, '').replaceAll('\n   ', '\n')),
    ...(message === usualMessage ? [] : [message]),
  ].filter((request) => request !== '');
}

const behind = (text: string, at: number, heading: string) =>
  at < 0 ? '' : text.slice(at + 2 + heading.length).trim();

/** Claude Code reads a file with a number before every line. */
function withoutNumbers(text: string): string {
  return /^\s*1[\t→]/u.test(text) ? text.replaceAll(/^\s*\d+[\t→]/gmu, '') : text;
}
