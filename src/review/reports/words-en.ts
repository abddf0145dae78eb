// What reports say in English.
import { summaryReasons } from '../findings/placed-finding.js';
import type { ReportWords } from './report-words.js';

export const englishWords: ReportWords = {
  coverage: {
    seen({ files, added, removed, pages }) {
      const on = pages === undefined ? '' : ` on ${counted(pages, 'page')}`;
      return `${counted(files, 'file')} (+${added} -${removed})${on}`;
    },
    complete: (seen) => `Complete: ${seen}; nothing left out.`,
    partial: (seen, left) =>
      left === undefined
        ? `Partial: ${seen}.`
        : `Partial: ${seen}; left out ${counted(left.files, 'file')}: ${left.reasons.join(', ')}.`,
    reason: ({ reason }) => reason,
    group: (reason, { files, added, removed }) => `${files} ${reason} (+${added} -${removed})`,
    moreReasons: (n) => `${n} more reasons`,
    endedEarly: (pages) => ` On ${pages} page(s) the answer ended early.`,
    answersLost: (lost, all) => ` Of ${counted(all, 'answer')}, ${lost} could not be read in full.`,
  },
  title: (tool) => `Review by ${tool}`,
  severity: (severity) => severity,
  counts: (numbers) => numbers.map(([severity, n]) => `${n} ${severity}`).join(', '),
  noFindings: 'No findings.',
  result: (counts, { fresh, still }) => `${counts}; ${fresh} new, ${still} still there.`,
  incomplete: '**Incomplete:** a part of this change could not be reviewed.',
  noRoom: (counts) => `No room here for ${counts} more; see the full report.`,
  isNew: 'new',
  beforeChange: ' (before the change)',
  lineBefore: (line) => ` (line ${line} before the change)`,
  notAnchored: (reason) => ` (${summaryReasons[reason]})`,
  deletion: 'Suggested: delete these lines.',
  replacement: 'Suggested instead:',
  resolved: 'Resolved since the last review:',
  more: (n) => `and ${n} more`,
  notShown({ below, over, twice, unchecked }) {
    const notes = [
      ...(below > 0 ? [`${below} below the threshold`] : []),
      ...(over > 0 ? [`${over} over the cap`] : []),
      ...(twice > 0 ? [`${twice} said twice`] : []),
      ...(unchecked > 0 ? [`${unchecked} earlier not looked at again`] : []),
    ];
    return `Not shown: ${notes.join(', ')}.`;
  },
  notAnnotated: (rest, all) =>
    `${rest} of ${all} findings are not shown as annotations; they are in the step summary.`,
};

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
