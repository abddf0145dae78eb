// The words of the tickets that a change names in its title, branch, description or commits, where the user has a program that knows
// them. Whoever writes a title chooses the ticket, so its name is checked before anything runs, and its words are as untrusted as
// the change: they stand inside the fence, with the intent.
import type { Warning } from '../../core/model/error.js';
import { askGit } from '../../git/process/run-git.js';
import type { ReviewContext } from '../change/open-review.js';
import type { Intent, Ticket } from './intent.js';

export interface ReadTickets {
  readonly tickets: readonly Ticket[];
  readonly warnings: readonly Warning[];
}

const maxTickets = 3;
/** Of each text that is searched. */
const maxSearched = 10_000;
/** One argument of a program: no option, no path, nothing a shell would read. */
const plainName = /^[A-Za-z\d#](?!.*\.\.)[\w#.-]{0,99}$/;

export async function readTickets(opened: ReviewContext, intent: Intent): Promise<ReadTickets> {
  const source = await opened.tickets?.();
  if (source === undefined) return { tickets: [], warnings: [] };
  const { title = '', description = '', commits = [] } = intent;
  const places = [title, await branchOf(opened), description, ...commits];
  const read = await Promise.all(
    ticketIds(places, source.pattern).map(async (id) => ({
      id,
      text: await source.read(id, opened.signal),
    })),
  );
  const tickets = read.flatMap(({ id, text = '' }) => (text.trim() === '' ? [] : [{ id, text }]));
  const count = read.length - tickets.length;
  const warning: Warning = {
    code: 'TICKET_UNREAD',
    message: `${count} of ${read.length} tickets could not be read; the review goes on without.`,
    details: { count },
  };
  return { tickets, warnings: count === 0 ? [] : [warning] };
}

/** In the order of their first mention. */
export function ticketIds(texts: readonly string[], pattern: RegExp): string[] {
  const every = new RegExp(pattern.source, [...new Set([...pattern.flags, 'g'])].join(''));
  const found = texts.flatMap((text) => text.slice(0, maxSearched).match(every) ?? []);
  return [...new Set(found)].filter((id) => plainName.test(id)).slice(0, maxTickets);
}

async function branchOf({ request, repository }: ReviewContext): Promise<string> {
  if (request.mode === 'commit') return '';
  if (request.head !== undefined) return request.head;
  const asked = ['symbolic-ref', '--quiet', '--short', 'HEAD'];
  return (await askGit(repository.home, asked, { accept: [1, 128] })) ?? '';
}
