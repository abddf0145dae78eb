import type { Command } from 'commander';
import { withChangeOptions } from './change-options.js';
import { choiceOption } from './choice.js';
import { failLevels, reportFormats, severities } from './choices.js';
import { word } from './words/word.js';

export function registerReport(report: Command): void {
  withChangeOptions(report.argument('<answers...>', word('report.answers')))
    .usage('[options] <answers...> [-- <path>...]')
    .addOption(
      choiceOption('--format <name>', {
        about: word('report.format'),
        choices: reportFormats,
        preset: 'markdown',
      }),
    )
    .option('--earlier <file>', word('report.earlier'))
    .addOption(
      choiceOption('--min-severity <level>', { about: word('report.min-severity'), choices: severities }),
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
      (await import('./report-command.js')).reportCommand(answers, options),
    );
}
