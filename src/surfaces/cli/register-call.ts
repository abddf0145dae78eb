import type { Command } from 'commander';

export function registerCall(program: Command): void {
  program
    .command('call')
    .argument('<operation>', 'operation id, for example agents:assemble')
    .description('run one operation: JSON request on stdin, JSON answer on stdout')
    .addHelpText(
      'after',
      `\nExample:\n  echo '{"agentType":"claude","contextMessages":[],"currentMessage":"Hello"}' | galley call agents:assemble\n`,
    )
    .option('--store <file>', 'SQLite file; GALLEY_STORE or .galley/galley.db without it')
    .action(async (operation: string, options) =>
      (await import('./call-command.js')).callCommand(operation, options),
    );
}
