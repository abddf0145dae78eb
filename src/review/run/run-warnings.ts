// What a reader of the report should know about what was sent.

import type { PlacedHit } from '../../cleaning/clean-text.js';
import type { Warning } from '../../core/model/error.js';
import type { ChangeSet } from '../../git/changes/read-change-set.js';
import type { PreparedReview } from './prepare-pages.js';

const mostPaths = 20;

export function runWarnings(
  { redactions, hidden }: Pick<PreparedReview, 'redactions' | 'hidden'>,
  change: Pick<ChangeSet, 'mode' | 'entries'>,
): Warning[] {
  const warnings: Warning[] = [];
  const add = (code: string, message: string, hits: readonly PlacedHit[]) => {
    const paths = [...new Set(hits.flatMap(({ path }) => (path === undefined ? [] : [path])))];
    const details = { total: hits.length, paths: paths.slice(0, mostPaths) };
    if (hits.length > 0) warnings.push({ code, message: `${hits.length} ${message}`, details });
  };
  add('SECRETS_REDACTED', 'value(s) that look like secrets were taken out before sending.', redactions);
  const aimed = hidden.filter(({ kind }) => kind === 'comment-to-model');
  const unseen = hidden.filter(({ kind }) => kind !== 'comment-to-model');
  add(
    'HIDDEN_CHARACTERS',
    'line(s) hold characters a reader cannot see or takes for others; they were sent by their numbers.',
    unseen,
  );
  add('COMMENT_TO_MODEL', 'comment(s) that no reader of the page sees speak to a model.', aimed);
  const rules = change.entries.filter(({ path }) => /(?:^|\/)(?:CLAUDE|AGENTS|GEMINI)\.md$/.test(path));
  if (change.mode !== 'pr' && rules.length > 0)
    add(
      'RULES_PART_OF_CHANGE',
      'file(s) with project rules are part of the change; the reviewer follows them as they were before it.',
      rules,
    );
  return warnings;
}
