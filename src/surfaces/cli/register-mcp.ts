import type { Command } from 'commander';
import { choiceOption } from './choice.js';
import { word } from './words/word.js';

export function registerMcp(mcp: Command): void {
  mcp
    .enablePositionalOptions()
    .option('--http', word('mcp.http'))
    .option('--port <n>', word('mcp.port'), '7310')
    .option('--project <id>', word('mcp.project'))
    .option('--folder <path>', word('mcp.folder'))
    .option('--only <families...>', word('mcp.only'))
    .option('--read-only', word('mcp.read-only'))
    .option('--store <file>', word('flag.store'))
    .addHelpText('after', () => `\n${word('mcp.token')}`)
    .action(async (options) => (await import('./serve/mcp-command.js')).mcpCommand(options));
  mcp
    .command('install')
    .description(word('mcp.install.about'))
    .addOption(
      choiceOption('--client <name>', {
        about: word('mcp.install.client'),
        choices: ['claude', 'cursor', 'codex', 'gemini', 'vscode'],
      }).makeOptionMandatory(),
    )
    .option('--yes', word('init.yes'))
    .option('--remove', word('mcp.install.remove'))
    .option('--command <command>', word('mcp.install.command'), 'galley')
    .option('--json', word('mcp.install.json'))
    .action(async (options) => (await import('./install/mcp-install.js')).mcpInstall(options));
}
