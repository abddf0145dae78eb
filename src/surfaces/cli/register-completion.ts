import { Argument, type Command } from 'commander';
import { chosen } from './choice.js';
import { word } from './words/word.js';

const shells = ['bash', 'zsh', 'fish'] as const;

export function registerCompletion(completion: Command): void {
  completion
    .addArgument(
      new Argument('<shell>', word('completion.shell'))
        .choices(shells)
        .argParser((value: string) => chosen(value, shells)),
    )
    .option('--json', word('flag.json'))
    .action(async (shell, options) => {
      const { completionText } = await import('./completion/shells.js');
      process.stdout.write(completionText(completion.parent ?? completion, shell, options));
    });
}
