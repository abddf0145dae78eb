// The name of a finding, from what it says about which code and never from where that code stands.
import { byCodePoint } from '../../core/model/code-points.js';
import { hashText } from '../../meters/content-hash.js';
import type { FindingDraft } from './finding.js';
import { hasSubstance, normalCode, normalMessage } from './normal-text.js';

export function findingId(draft: Pick<FindingDraft, 'path' | 'category' | 'evidence' | 'message'>): string {
  const subject = hasSubstance(draft.evidence)
    ? `code\0${normalCode(draft.evidence)}`
    : `message\0${normalMessage(draft.message)}`;
  return hashText(`${draft.path}\0${draft.category}\0${subject}`).slice(0, 20);
}

/** The same code may stand twice in a file: later ones, in the order of the file, are numbered. */
export function numberEqualIds<
  T extends { readonly id: string } & Pick<FindingDraft, 'side' | 'startLine' | 'message'>,
>(findings: readonly T[]): T[] {
  const groups = new Map<string, T[]>();
  for (const finding of findings) groups.set(finding.id, [...(groups.get(finding.id) ?? []), finding]);
  const ids = new Map<T, string>();
  for (const [id, group] of groups)
    group
      .sort(
        (left, right) =>
          byCodePoint(left.side, right.side) ||
          left.startLine - right.startLine ||
          byCodePoint(left.message, right.message),
      )
      .forEach((finding, index) => {
        ids.set(finding, index === 0 ? id : `${id}-${index + 1}`);
      });
  return findings.map((finding) => ({ ...finding, id: ids.get(finding) ?? finding.id }));
}
