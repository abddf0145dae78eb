import type { Command } from 'commander';
import { addRunFlags } from './review-run-flags.js';

const collect = (value: string, before: string[]) => [...before, value];

export function registerReview(program: Command): void {
  const review = program
    .command('review')
    .description(
      'show what a review of the current change would send: files, pages, tokens, what is left out and why; with a model, review it',
    )
    .option('--repo <folder>', 'a folder of the repository', '.')
    .option('--base <revision>', 'compare with the merge base of this revision')
    .option('--head <revision>', 'the newest revision of a comparison; HEAD without it')
    .option('--commit <revision>', 'one commit against its first parent')
    .option('--staged', 'what the index would commit')
    .option('--working', 'everything not yet committed, untracked files too')
    .option('--max-chunk <tokens>', 'tokens of diff on one page; 32000 without it')
    .option('--budget <tokens>', 'tokens of a whole page')
    .option('--max-pages <n>', 'at most so many pages; what matters most stays')
    .option('--skill <file>', 'a SKILL.md with instructions for the reviewer')
    .option(
      '--linter <format:file>',
      'findings to go along, for example sarif:out.sarif; may be repeated',
      collect,
      [],
    )
    .option('--meter <id>', 'how tokens are counted; o200k_base without it')
    .option('--price <dollars>', 'price of a million input tokens, for the estimate', '3')
    .option(
      '--out <folder>',
      'write one file per page and receipt.json; with a model, the file for the report',
    )
    .option('--json', 'print the pages and the receipt as JSON')
    .option(
      '--explain [path-or-unit]',
      'say on stderr what every part got, and why each unit needs its context',
    )
    .option('--level <level>', 'list the units that need at least this much context');
  addRunFlags(review)
    .addHelpText(
      'after',
      `\nWithout options: what the current branch adds to the branch it was cut from, else what is not yet committed.\n\nExamples:\n  galley review\n  galley review --staged --skill review/SKILL.md\n  galley review --base main --max-pages 1 --budget 8000 --json\n  galley review --commit HEAD --linter eslint:eslint.json --out pages\n  galley review --model cli/claude --fail-level high\n`,
    )
    .action(async (options) => {
      const model = options.model ?? (process.env.GALLEY_MODEL || undefined);
      if (model === undefined && !options.dryRun)
        return (await import('./review-command.js')).reviewCommand(options);
      return (await import('./review-run-command.js')).reviewRunCommand({ ...options, model });
    });
}
