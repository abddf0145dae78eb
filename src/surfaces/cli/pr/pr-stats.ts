// galley pr stats: what became of the findings on the last pull requests.
import { call } from '../../../operations/call.js';
import type { OperationContext } from '../../../operations/operation.js';
import type { AnswerOf } from '../../../operations/table.js';
import { type NamedFates, type PullStats, sumOf } from '../../../review/pull/pull-stats.js';
import { localContext } from '../shell/local-context.js';
import { wholeNumber } from '../shell/read-input.js';
import { pullCounter } from '../terminal/progress.js';
import { textTable } from '../terminal/table.js';
import { percent, printJson } from '../terminal/talk.js';
import { counted, type PlainWord, word } from '../words/word.js';

interface PrStatsOptions {
  readonly repo: string;
  readonly key?: string;
  readonly last?: string;
  readonly json?: boolean;
}

/** `seam` stands in for what the machine has; for tests. */
export async function prStats(
  { repo, key, last, json }: PrStatsOptions,
  seam: Pick<Partial<OperationContext>, 'forge'> = {},
): Promise<void> {
  const context = localContext();
  const progress = pullCounter(process.stderr);
  try {
    const request = {
      repo,
      ...(key === undefined ? {} : { key }),
      ...(last === undefined ? {} : { last: wholeNumber(last, '--last', 1) }),
    };
    const stats = (await call('forge:stats', request, {
      ...context,
      ...seam,
      onProgress: progress.show,
    })) as AnswerOf<'forge:stats'>;
    progress.clear();
    if (json) printJson(stats);
    else process.stdout.write(statsText(stats));
  } finally {
    progress.clear();
    await context.close();
  }
}

/** Beyond these a list of categories tells nothing. */
const mostRows = 15;

function statsText(stats: PullStats): string {
  const { repository, pulls, withFindings, total } = stats;
  const findings = sumOf(total);
  if (findings === 0) return `${word('pr.stats.none', { pulls, repository })}\n`;
  const { accepted, dismissed, open } = total;
  const first = word('pr.stats.sum', {
    ...{ repository, pulls, with: withFindings, accepted, dismissed, open },
    findings: counted(findings, 'finding'),
    share: percent(accepted / findings),
  });
  const tables = [
    fatesTable('pr.stats.severity', stats.bySeverity),
    fatesTable('pr.stats.category', stats.byCategory.slice(0, mostRows)),
    fatesTable('pr.stats.month', stats.byMonth),
  ];
  return `${[first, ...tables.filter((table) => table !== '')].join('\n\n')}`;
}

function fatesTable(title: PlainWord, rows: readonly NamedFates[]): string {
  if (rows.length === 0) return '';
  const counts = ['findings', 'accepted', 'dismissed', 'open'] as const;
  return textTable(
    [
      { title: word(title) },
      ...counts.map((name) => ({ title: word(`pr.stats.${name}`), align: 'right' as const })),
    ],
    rows.map(({ name, ...fates }) => [
      name.replaceAll(/[^\P{C}]/gu, ' '),
      ...[sumOf(fates), fates.accepted, fates.dismissed, fates.open].map(String),
    ]),
  );
}
