import type { Command } from 'commander';

export function registerReport(program: Command): void {
  program
    .command('report')
    .description('check what a reviewer answered against the change, and write it as a report')
    .argument('<answers...>', 'files with the answers, one per reviewed page; JSON or text around it')
    .option('--repo <folder>', 'a folder of the repository', '.')
    .option('--base <revision>', 'compare with the merge base of this revision')
    .option('--head <revision>', 'the newest revision of a comparison; HEAD without it')
    .option('--commit <revision>', 'one commit against its first parent')
    .option('--staged', 'what the index would commit')
    .option('--working', 'everything not yet committed, untracked files too')
    .option('--format <name>', 'markdown, json, sarif, rdjson, rdjsonl, gitlab or github', 'markdown')
    .option('--earlier <file>', 'an earlier report in JSON; its findings are carried on or resolved')
    .option('--min-severity <level>', 'critical, high, medium, low or info')
    .option('--most <n>', 'at most so many findings')
    .option('--fail-level <level>', 'exit with 1 when a finding is at least this severe', 'none')
    .addHelpText(
      'after',
      `\nExamples:\n  galley report answer.json\n  galley report page-*.txt --base main --format sarif --fail-level high > review.sarif\n`,
    )
    .action(async (answers, options) =>
      (await import('./report-command.js')).reportCommand(answers, options),
    );
}
