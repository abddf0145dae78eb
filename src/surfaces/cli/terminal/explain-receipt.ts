// A receipt for people: the layers with what each got, then every fragment that is not simply there, and why.
import type { LedgerLine, Receipt } from '../../../core/model/receipt.js';
import { factWords, spokenLanguage, word } from '../words/word.js';
import { grouped, padded } from './table.js';

const maxLines = 20;

export function explainReceipt(receipt: Receipt): string {
  const { budget, used, concessions, layers, ledger } = receipt;
  const unit = factWords(`unit.${budget.unit}`, budget.unit);
  const estimate = receipt.meter.exact ? '' : word('receipt.estimate');
  const lines = [
    word('receipt.used', {
      used: grouped(used.n),
      budget: grouped(budget.n),
      unit,
      estimate,
      made: concessions.made,
      offered: concessions.offered,
    }),
    ...layers
      .filter(({ kept, left }) => kept + left > 0)
      .map(
        ({ id, amount, kept, left }) =>
          `  ${padded(layerWords(id), 12)} ${grouped(amount).padStart(9)} ${unit}  ${word('receipt.kept', { n: kept })}${left > 0 ? word('receipt.left', { n: left }) : ''}`,
      ),
    ...summarise(ledger.filter(({ verdict }) => verdict !== 'kept')),
    ...receipt.warnings.map((warning) => `  ! ${warning.code}: ${warningText(warning)}`),
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
  const shown = runs.slice(0, maxLines).map(({ first, last, count }) => {
    const names = count === 1 ? first.fragment : `${first.fragment} … ${last.fragment} (${count})`;
    const verdict = factWords(`verdict.${first.verdict}`, first.verdict);
    return `  - ${verdict}: ${names}: ${reasonWords(first.reason)}`;
  });
  return runs.length > maxLines
    ? [...shown, `  - ${word('receipt.more', { n: runs.length - maxLines })}`]
    : shown;
}

/** What a layer is called: its id, or its name in the language people chose. */
export function layerWords(id: string): string {
  return factWords(`layer.${id}`, id);
}

/**
 * A warning for people: what it means in their language, with the sentence that came where they can read it, since that one
 * names the details.
 */
export function warningText({
  code = '',
  message,
}: {
  readonly code?: string;
  readonly message: string;
}): string {
  const came = message.startsWith(`${code}: `) ? message.slice(code.length + 2) : message;
  const known = factWords(`warning.${code}`, '');
  if (known === '') return came;
  if (spokenLanguage() === 'zh') return came === code ? known : `${known}（${came}）`;
  return known;
}

/** A warning as answers hold it: a bare code, or a code and a sentence. */
export function warningLine(line: string): string {
  const [, code = '', message = ''] = /^([A-Z][A-Z_]+)(?:: (.*))?$/s.exec(line) ?? [];
  return code === '' ? line : `${warningText({ code, message: message === '' ? code : message })} (${code})`;
}
