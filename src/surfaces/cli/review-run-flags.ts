import type { Command } from 'commander';

/** What galley review takes when a model does the reviewing. */
export function addRunFlags(command: Command): Command {
  return command
    .option('--model <name>', 'review with this model, for example cli/claude; GALLEY_MODEL does the same')
    .option('--dry-run', 'print exactly what would be sent to a model, and send nothing')
    .option('--plan', 'ask the model first what may be skipped')
    .option('--plan-model <name>', 'ask this model first what may be skipped')
    .option('--concurrency <n>', 'pages under way at the same time; 4 without it')
    .option('--max-output <tokens>', 'tokens one answer may have')
    .option('--timeout <seconds>', 'for the review of one page; 600 without it')
    .option('--first-byte-timeout <seconds>', 'until the model begins to answer; 180 without it')
    .option('--max-cost <dollars>', 'stop before the review costs more')
    .option('--language <name>', 'the language of the findings')
    .option('--fresh', 'ask again for pages that were answered before')
    .option('--format <name>', 'of the report: markdown, json, sarif, rdjson, rdjsonl, gitlab or github')
    .option('--earlier <file>', 'an earlier report in JSON; its findings are carried on or resolved')
    .option('--min-severity <level>', 'critical, high, medium, low or info')
    .option('--most <n>', 'at most so many findings')
    .option('--fail-level <level>', 'exit with 1 when a finding is at least this severe');
}
