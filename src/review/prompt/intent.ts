// What the author says the change is for: title, description, subjects of the commits. Given by the caller, or read from the
// commits of the branch. Too much of it is cut, and said so.
import * as z from 'zod';
import type { Warning } from '../../core/model/error.js';
import { readGit } from '../../git/process/run-git.js';
import type { ReviewContext } from '../change/open-review.js';

const largest = 4_000_000;

export const intentSchema = z.strictObject({
  title: z.string().max(largest).optional(),
  description: z.string().max(largest).optional(),
  commits: z.array(z.string().max(largest)).max(10_000).optional().describe('subjects, newest first'),
});

export type Intent = z.output<typeof intentSchema>;

const most = { title: 300, description: 4_000, commits: 20, subject: 120, ticket: 3_000 };

/** Subjects of the commits of a pull request, or the message of the commit; nothing for what is not committed yet. */
export async function intentOfChange({ change, repository, signal }: ReviewContext): Promise<Intent> {
  const { mode, baseCommit, headCommit } = change;
  if ((mode !== 'pr' && mode !== 'commit') || headCommit === undefined) return {};
  const range =
    mode === 'commit'
      ? ['-1', headCommit]
      : [`-${most.commits + 1}`, headCommit, ...(baseCommit === undefined ? [] : [`^${baseCommit}`])];
  const args = ['log', '-z', '--no-merges', '--format=%B', ...range, '--'];
  // A shallow clone may not reach that far: a review does without.
  const { output } = await readGit(repository.cleanRoom, args, { signal }).catch(() => ({
    output: Buffer.alloc(0),
  }));
  const messages = output
    .toString('utf8')
    .split('\0')
    .map((message) => message.trim())
    .filter((message) => message !== '');
  const [first = ''] = messages;
  if (messages.length > 1) return { commits: messages.map(subjectOf) };
  const title = subjectOf(first);
  const description = first.slice(title.length).trim();
  return { ...(title === '' ? {} : { title }), ...(description === '' ? {} : { description }) };
}

function subjectOf(message: string): string {
  return message.split('\n', 1)[0] ?? '';
}

/** What a ticket says that the change is for. */
export interface Ticket {
  readonly id: string;
  readonly text: string;
}

interface IntentWords {
  readonly text: string;
  readonly warnings: readonly Warning[];
}

/** Empty where nothing is known. */
export function intentWords(
  { title = '', description = '', commits = [] }: Intent,
  tickets: readonly Ticket[] = [],
): IntentWords {
  let cut = 0;
  const short = (text: string, limit: number): string => {
    const letters = [...text.toWellFormed()];
    if (letters.length <= limit) return text.toWellFormed();
    cut += letters.length - limit;
    return `${letters.slice(0, limit).join('')} [\u2026 ${letters.length - limit} characters left out]`;
  };
  const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
  const shown = commits.slice(0, most.commits).map((subject) => `- ${short(oneLine(subject), most.subject)}`);
  const more = commits.length - shown.length;
  const parts = [
    ...(oneLine(title) === '' ? [] : [`Title: ${short(oneLine(title), most.title)}`]),
    ...(description.trim() === '' ? [] : [short(description.trim(), most.description)]),
    ...tickets.map(({ id, text }) => `Ticket ${id}:\n${short(text.trim(), most.ticket)}`),
    ...(shown.length === 0 ? [] : [`Commits:\n${shown.join('\n')}${more > 0 ? `\n- and ${more} more` : ''}`]),
  ];
  const warning: Warning = {
    code: 'INTENT_SHORTENED',
    message: `${cut} characters of title, description, tickets and commit subjects were left out.`,
    details: { characters: cut },
  };
  return { text: parts.join('\n\n'), warnings: cut === 0 ? [] : [warning] };
}
