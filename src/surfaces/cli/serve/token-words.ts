// A token in words: what it may, what it has spent of what it may spend this month, and how long it holds.
import type { StoredToken } from '../../../store/tables/tokens.js';
import type { TokenTerms } from '../../http/access/access-tokens.js';
import { type Column, grouped } from '../terminal/table.js';
import { whenWords } from '../terminal/talk.js';
import { word } from '../words/word.js';

export interface ShownToken extends Omit<StoredToken, 'digest' | 'value'>, TokenTerms {
  readonly spent: {
    readonly month: string;
    readonly calls: number;
    readonly tokens: number;
    readonly dollars: number;
  };
}

export function tokenTitles(): readonly Column[] {
  const align = 'right' as const;
  return [
    { title: word('token.col.id') },
    { title: word('token.col.state') },
    { title: word('token.col.calls'), align },
    { title: word('token.col.tokens'), align },
    { title: word('token.col.dollars'), align },
    { title: word('token.col.grants') },
    { title: word('token.col.projects') },
    { title: word('token.col.note'), shrink: true },
  ];
}

export function tokenRow(token: ShownToken): readonly string[] {
  const { id, grants, projects, note = '' } = token;
  return [id, stateWords(token), ...spentWords(token), grants.join(' '), projectWords(projects), note];
}

export function tokenLines(token: ShownToken): string {
  const { id, createdAt, grants, projects, note, weight = 1, spent } = token;
  const [calls, tokens, dollars] = spentWords(token);
  const rows: readonly (readonly [string, string])[] = [
    [word('token.col.id'), id],
    ...(note === undefined ? [] : [[word('token.col.note'), note] as const]),
    [word('token.col.state'), stateWords(token)],
    [word('token.row.created'), whenWords(createdAt)],
    [word('token.col.grants'), grants.join(' ')],
    [word('token.col.projects'), projectWords(projects)],
    [word('token.row.weight'), String(weight)],
    [word('token.row.month'), spent.month],
    [word('token.col.calls'), calls ?? ''],
    [word('token.col.tokens'), tokens ?? ''],
    [word('token.col.dollars'), dollars ?? ''],
  ];
  return rows.map(([title, value]) => `${word('token.row', { title, value })}\n`).join('');
}

function stateWords({ state, expiresAt, revokedAt }: ShownToken): string {
  if (state === 'revoked') return word('token.state.revoked', { when: whenWords(revokedAt ?? 0) });
  if (expiresAt === undefined) return word('token.state.valid');
  return word(state === 'expired' ? 'token.state.expired' : 'token.state.until', {
    when: whenWords(expiresAt),
  });
}

const projectWords = (projects: TokenTerms['projects']) =>
  projects === '*' ? word('token.all-projects') : projects.join(' ');

function spentWords({ spent, limits = {} }: ShownToken): [string, string, string] {
  const dollars = (amount: number) => amount.toFixed(2);
  const of = (used: string, limit: string | undefined) => (limit === undefined ? used : `${used}/${limit}`);
  const whole = (limit: number | undefined) => (limit === undefined ? undefined : grouped(limit));
  return [
    of(grouped(spent.calls), whole(limits.calls)),
    of(grouped(spent.tokens), whole(limits.tokens)),
    of(dollars(spent.dollars), limits.dollars === undefined ? undefined : dollars(limits.dollars)),
  ];
}
