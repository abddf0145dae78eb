import type { Command } from 'commander';

const collect = (value: string, before: string[]) => [...before, value];

export function registerServe(program: Command): void {
  program
    .command('serve')
    .description('answer every operation over HTTP, on this machine unless told otherwise')
    .option('--host <address>', 'what to listen on; beyond this machine only with tokens', '127.0.0.1')
    .option('--port <n>', 'which port; 0 takes a free one', '7433')
    .option(
      '--root <folder>',
      'requests may name files in here, the first is where one works; this folder without it',
      collect,
      [],
    )
    .option('--store <file>', 'SQLite file; GALLEY_STORE or .galley/galley.db without it')
    .option('--tokens <file>', 'YAML or JSON list of tokens; GALLEY_TOKENS without it')
    .option('--new-token', 'print a new token and its entry for the list, and end')
    .option('--project <id>', 'with --new-token: a project it covers; all without it', collect, [])
    .option('--grant <name>', 'with --new-token: read, write, inspect or run; read without it', collect, [])
    .option('--allow-host <name>', 'a further name of this server', collect, [])
    .option('--allow-origin <origin>', 'pages of this origin may call', collect, [])
    .option('--max-body <bytes>', 'the largest request')
    .option('--at-once <n>', 'calls of one family that run at once')
    .option('--patience <ms>', 'how long a call may wait for its turn before it is refused')
    .option('--rate <n>', 'calls of one token in a second')
    .option('--grace <seconds>', 'how long running calls may go on when the server ends')
    .option('--debug', 'let callers with the grant "inspect" see whole contexts')
    .addHelpText(
      'after',
      `\nExamples:\n  galley serve\n  galley serve --new-token --project novel --grant read --grant write\n  galley serve --host 0.0.0.0 --tokens tokens.yaml --root /srv/repositories\n\nOn / is a page with all operations, on /openapi.json their description, on /metrics what was counted.\n`,
    )
    .action(async (options) => (await import('./serve-command.js')).serveCommand(options));
}
