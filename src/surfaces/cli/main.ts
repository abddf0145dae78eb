// The command line. Commands are loaded when they are named, so that --help starts quickly.
import { Command, CommanderError } from 'commander';
import { reportError } from './report-error.js';

const program = new Command('galley');

program
  .description(
    'Sets the text that goes to a language model, and says what went in, what stayed out, and why.',
  )
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(text) });

program
  .command('call')
  .argument('<operation>', 'operation id, for example agents:assemble')
  .description('run one operation: JSON request on stdin, JSON answer on stdout')
  .addHelpText(
    'after',
    `\nExample:\n  echo '{"agentType":"claude","contextMessages":[],"currentMessage":"Hello"}' | galley call agents:assemble\n`,
  )
  .action(async (operation: string) => (await import('./call-command.js')).callCommand(operation));

program
  .command('agent')
  .description('set one turn for an agent CLI from a conversation on stdin (JSON array or JSON lines)')
  .option('--agent <type>', 'claude, codex, gemini, or any other name for plain text', 'claude')
  .option('--task <text>', 'what the team works on')
  .option('--message <text>', 'the current message; without it the last message on stdin is the current one')
  .option('--system-file <file>', 'file with the system text')
  .option('--max-bytes <n>', 'budget for prompt and system text together')
  .option('--explain', 'say on stderr what was kept, what was left out, and why')
  .option('--json', 'print prompt, system text and receipt as JSON')
  .addHelpText(
    'after',
    `\nExamples:\n  galley agent --agent codex --task "Fix the login" < conversation.jsonl | codex exec -\n  galley agent --max-bytes 4096 --explain < conversation.json\n\nA message is {"from": "max", "to": "sarah", "content": "…"}; "to" may be left out.\n`,
  )
  .action(async (options) => (await import('./agent-command.js')).agentCommand(options));

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else reportError(error, { json: process.argv[2] === 'call' || process.argv.includes('--json') });
}
