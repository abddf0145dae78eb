// A receipt for people: the layers with what each got, then every fragment that is not simply there, and why.
import type { LedgerLine, Receipt } from '../../core/model/receipt.js';
import { grouped } from './grouped-number.js';
import { layerWords } from './layer-words.js';
import { padded } from './table.js';
import { warningWords } from './warning-words.js';
import { factWords, word } from './words/word.js';

const mostLines = 20;

export function explainReceipt(receipt: Receipt): string {
  const { budget, used, concessions, layers, ledger } = receipt;
  const estimate = receipt.meter.exact ? '' : word('receipt.estimate');
  const lines = [
    word('receipt.used', {
      used: grouped(used.n),
      budget: grouped(budget.n),
      unit: budget.unit,
      estimate,
      made: concessions.made,
      offered: concessions.offered,
    }),
    ...layers
      .filter(({ kept, left }) => kept + left > 0)
      .map(
        ({ id, amount, kept, left }) =>
          `  ${padded(layerWords(id), 12)} ${grouped(amount).padStart(9)} ${budget.unit}  ${word('receipt.kept', { n: kept })}${left > 0 ? word('receipt.left', { n: left }) : ''}`,
      ),
    ...summarise(ledger.filter(({ verdict }) => verdict !== 'kept')),
    ...receipt.warnings.map((warning) => `  ! ${warning.code}: ${warningWords(warning)}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** Reasons name their layer in quotes, which their words in another language do without. */
function reasonWords(reason: string): string {
  return factWords(`reason.${reason.replace(/"[^"]*"/, '""')}`, reason);
}

/** Neighbours with the same verdict and reason share a line. */
function summarise(lines: readonly LedgerLine[]): string[] {
  const runs: { first: LedgerLine; last: LedgerLine; count: number }[] = [];
  for (const line of lines) {
    const run = runs.at(-1);
    if (run && run.last.verdict === line.verdict && run.last.reason === line.reason) {
      run.last = line;
      run.count += 1;
    } else runs.push({ first: line, last: line, count: 1 });
  }
  const shown = runs.slice(0, mostLines).map(({ first, last, count }) => {
    const names = count === 1 ? first.fragment : `${first.fragment} … ${last.fragment} (${count})`;
    const verdict = factWords(`verdict.${first.verdict}`, first.verdict);
    return `  - ${verdict}: ${names}: ${reasonWords(first.reason)}`;
  });
  return runs.length > mostLines
    ? [...shown, `  - ${word('receipt.more', { n: runs.length - mostLines })}`]
    : shown;
}
