import type { Command } from 'commander';
import { GalleyError } from '../../core/model/error.js';
import { revisionsOf, withChangeOptions } from './change-options.js';
import { choiceOption } from './choice.js';
import { contextLevelChoices } from './choices.js';
import { refuseWithoutModel } from './needs-model.js';
import { helpWidth } from './prebuilt-help.js';
import { addRunFlags } from './review-run-flags.js';
import { wrapped } from './terminal/text-width.js';
import { word } from './words/word.js';

const collect = (value: string, before: string[]) => [...before, value];

export function registerReview(review: Command): void {
  withChangeOptions(review)
    .argument('[range]', word('review.range-argument'))
    .usage('[options] [range] [-- <path>...]')
    .option('--max-chunk <tokens>', word('review.max-chunk'))
    .option('--budget <tokens>', word('review.budget'))
    .option('--max-rules <tokens>', word('review.max-rules'))
    .option('--max-pages <n>', word('review.max-pages'))
    .option('--context <tokens|plan|none>', word('review.context'))
    .option('--intent <file>', word('review.intent'))
    .option('--skill <file>', word('review.skill'))
    .option('--linter <format:file>', word('review.linter'), collect, [])
    .option('--meter <id>', word('review.meter'))
    .option('--price <dollars>', word('review.price'), '3')
    .option('--out <folder>', word('review.out'))
    .option('--json', word('review.json'))
    .option('--no-redact', word('review.no-redact'))
    .option('--explain [path-or-unit]', word('review.explain'))
    .addOption(
      choiceOption('--level <level>', { about: word('review.level'), choices: contextLevelChoices }),
    );
  addRunFlags(review)
    .addHelpText('after', () => `\n${wrapped(word('review.paths'), helpWidth())}\n\n${word('review.usual')}`)
    .action(async (range, flags) => {
      const options = { ...flags, ...(range === undefined ? {} : revisionsOf(range, flags)) };
      const model = options.model ?? (process.env.GALLEY_MODEL || undefined);
      if (model === undefined && !options.dryRun) {
        refuseWithoutModel(options);
        return (await import('./review/review-command.js')).reviewCommand(options);
      }
      if (options.redact === false)
        throw new GalleyError(
          'INVALID_ARGUMENT',
          '--no-redact: what goes to a model is always without secrets; leave the flag out.',
          { details: { field: 'redact' } },
        );
      return (await import('./review/review-run-command.js')).reviewRunCommand({ ...options, model });
    });
}
