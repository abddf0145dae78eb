import type { Command } from 'commander';
import { choiceOption } from './choice.js';
import { trims } from './choices.js';
import { word } from './words/word.js';

export function registerAgent(agent: Command): void {
  withTurnOptions(agent)
    // Flags after "run" belong to it.
    .enablePositionalOptions()
    .option('--explain', word('flag.explain'))
    .option('--json', word('agent.json'))
    .addHelpText('after', () => `\n${word('agent.form')}`)
    .action(async (options) => (await import('./agent/agent-command.js')).agentCommand(options));
  registerRun(agent);
}

function registerRun(agent: Command): void {
  withTurnOptions(agent.command('run'))
    .description(word('agent.run.about'))
    .option('--timeout <seconds>', word('agent.run.timeout'))
    .option('--first-byte-timeout <seconds>', word('agent.run.first-byte-timeout'))
    .addOption(choiceOption('--trim <how>', { about: word('agent.run.trim'), choices: trims }))
    .option('--model <name>', word('agent.run.model'))
    .option('--native', word('agent.run.native'))
    .option('--explain', word('flag.explain'))
    .option('--json', word('agent.run.json'))
    .addHelpText('after', () => `\n${word('agent.run.found')}\n${word('agent.form')}`)
    .action(async (options) => (await import('./agent/agent-command.js')).agentRunCommand(options));
}

function withTurnOptions(command: Command): Command {
  return command
    .option('--agent <type>', word('agent.agent'), 'claude')
    .option('--task <text>', word('agent.task'))
    .option('--message <text>', word('agent.message'))
    .option('--system-file <file>', word('agent.system-file'))
    .option('--max-bytes <n>', word('agent.max-bytes'));
}
