import type { Command } from 'commander';
import { choiceOption } from './choice.js';
import { failLevels, reportFormatChoices, severityChoices } from './choices.js';
import { word } from './words/word.js';

/** What galley review takes when a model does the reviewing. */
export function addRunFlags(command: Command): Command {
  return command
    .option('--model <name>', word('run.model'))
    .option('--dry-run', word('run.dry-run'))
    .option('--plan', word('run.plan'))
    .option('--plan-model <name>', word('run.plan-model'))
    .option('--concurrency <n>', word('run.concurrency'))
    .option('--max-output <tokens>', word('run.max-output'))
    .option('--timeout <seconds>', word('run.timeout'))
    .option('--first-byte-timeout <seconds>', word('run.first-byte-timeout'))
    .option('--max-cost <dollars>', word('run.max-cost'))
    .option('--language <name>', word('run.language'))
    .option('--fresh', word('run.fresh'))
    .addOption(choiceOption('--format <name>', { about: word('run.format'), choices: reportFormatChoices }))
    .option('--earlier <file>', word('report.earlier'))
    .addOption(
      choiceOption('--min-severity <level>', {
        about: word('report.min-severity'),
        choices: severityChoices,
      }),
    )
    .option('--most <n>', word('report.most'))
    .addOption(
      choiceOption('--fail-level <level>', { about: word('report.fail-level'), choices: failLevels }),
    );
}
