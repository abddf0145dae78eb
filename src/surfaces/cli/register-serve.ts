import type { Command } from 'commander';
import { word } from './words/word.js';

const collect = (value: string, before: string[]) => [...before, value];

export function registerServe(serve: Command): void {
  serve
    .option('--host <address>', word('serve.host'), '127.0.0.1')
    .option('--port <n>', word('serve.port'), '7433')
    .option('--root <folder>', word('serve.root'), collect, [])
    .option('--store <file>', word('flag.store'))
    .option('--tokens <file>', word('serve.tokens'))
    .option('--tls-cert <file>', word('serve.tls-cert'))
    .option('--tls-key <file>', word('serve.tls-key'))
    .option('--new-token', word('serve.new-token'))
    .option('--project <id>', word('serve.project'), collect, [])
    .option('--grant <name>', word('serve.grant'), collect, [])
    .option('--allow-host <name>', word('serve.allow-host'), collect, [])
    .option('--allow-origin <origin>', word('serve.allow-origin'), collect, [])
    .option('--max-body <bytes>', word('serve.max-body'))
    .option('--at-once <n>', word('serve.at-once'))
    .option('--patience <ms>', word('serve.patience'))
    .option('--rate <n>', word('serve.rate'))
    .option('--grace <seconds>', word('serve.grace'))
    .option('--debug', word('serve.debug'))
    .addHelpText('after', () => `\n${word('serve.pages')}`)
    .action(async (options) => (await import('./serve/serve-command.js')).serveCommand(options));
}
