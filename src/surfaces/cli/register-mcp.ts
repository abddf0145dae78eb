import { type Command, Option } from 'commander';

export function registerMcp(program: Command): void {
  const mcp = program
    .command('mcp')
    .description('serve every operation to MCP clients: tools, resources and prompts')
    .option('--http', 'streamable HTTP on the loopback interface instead of standard input and output')
    .option('--port <n>', 'port for --http', '7310')
    .option(
      '--project <id>',
      'project whose resources and prompts are listed; the folder by its name without it',
    )
    .option('--folder <path>', 'folder to work in; the current one without it')
    .option('--only <families...>', 'tools of these families, such as review or agents')
    .option('--read-only', 'offer nothing that writes or runs')
    .option('--store <file>', 'file of the store')
    .addHelpText(
      'after',
      `
GALLEY_MCP_TOKEN, when set, is the bearer token callers of --http must send.

Examples:
  galley mcp                                  for a client that starts it itself
  galley mcp --only review agents             for a client that counts tools
  galley mcp --http --port 7310               at http://127.0.0.1:7310/mcp
  galley mcp install --client claude          shows what it would write to .mcp.json`,
    )
    .action(async (options) => (await import('./mcp-command.js')).mcpCommand(options));
  mcp
    .command('install')
    .description('enter Galley in the configuration of a client in this folder; shows the change first')
    .addOption(
      new Option('--client <name>', 'whose configuration')
        .choices(['claude', 'cursor', 'codex', 'vscode'])
        .makeOptionMandatory(),
    )
    .option('--yes', 'write without asking')
    .option('--remove', 'take the entry out again')
    .option('--command <command>', 'program that starts Galley', 'galley')
    .action(async (options) => (await import('./mcp-install.js')).mcpInstall(options));
}
