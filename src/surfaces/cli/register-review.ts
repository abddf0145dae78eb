import type { Command } from 'commander';
import { withChangeOptions } from './change-options.js';
import { choiceOption } from './choice.js';
import { contextLevels } from './choices.js';
import { word } from './words/word.js';

const collect = (value: string, before: string[]) => [...before, value];

export function registerReview(program: Command): void {
  withChangeOptions(program.command('review').description(word('review.about')))
    .option('--max-chunk <tokens>', word('review.max-chunk'))
    .option('--budget <tokens>', word('review.budget'))
    .option('--max-pages <n>', word('review.max-pages'))
    .option('--skill <file>', word('review.skill'))
    .option('--linter <format:file>', word('review.linter'), collect, [])
    .option('--meter <id>', word('review.meter'))
    .option('--price <dollars>', word('review.price'), '3')
    .option('--out <folder>', word('review.out'))
    .option('--json', word('review.json'))
    .option('--explain [path-or-unit]', word('review.explain'))
    .addOption(choiceOption('--level <level>', { about: word('review.level'), choices: contextLevels }))
    .addHelpText('after', () => `\n${word('review.usual')}`)
    .action(async (options) => (await import('./review-command.js')).reviewCommand(options));
}
