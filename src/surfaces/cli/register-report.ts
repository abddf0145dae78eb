import type { Command } from 'commander';
import { withChangeOptions } from './change-options.js';
import { choiceOption } from './choice.js';
import { failLevels, reportFormatChoices, severityChoices } from './choices.js';
import { word } from './words/word.js';

export function registerReport(report: Command): void {
  withChangeOptions(report.argument('<answers...>', word('report.answers')))
    .usage('[options] <answers...> [-- <path>...]')
    .addOption(
      choiceOption('--format <name>', {
        about: word('report.format'),
        choices: reportFormatChoices,
        preset: 'markdown',
      }),
    )
    .option('--earlier <file>', word('report.earlier'))
    .addOption(
      choiceOption('--min-severity <level>', {
        about: word('report.min-severity'),
        choices: severityChoices,
      }),
    )
    .option('--most <n>', word('report.most'))
    .addOption(
      choiceOption('--fail-level <level>', {
        about: word('report.fail-level'),
        choices: failLevels,
        preset: 'none',
      }),
    )
    .option('--json', word('report.json'))
    .action(async (answers, options) =>
      (await import('./review/report-command.js')).reportCommand(answers, options),
    );
}
