import type { Command } from 'commander';

const exampleMessage = `\nA message is {"from": "max", "to": "sarah", "content": "…"}; "to" may be left out.\n`;

export function registerAgent(program: Command): void {
  // Flags after "run" belong to it; every command on the way must agree.
  program.enablePositionalOptions();
  const agent = withTurnOptions(program.command('agent'))
    .enablePositionalOptions()
    .description('set one turn for an agent CLI from a conversation on stdin (JSON array or JSON lines)')
    .option('--explain', 'say on stderr what was kept, what was left out, and why')
    .option('--json', 'print prompt, system text and receipt as JSON')
    .addHelpText(
      'after',
      `\nExamples:\n  galley agent --agent codex --task "Fix the login" < conversation.jsonl | codex exec -\n  galley agent --max-bytes 4096 --explain < conversation.json\n${exampleMessage}`,
    )
    .action(async (options) => (await import('./agent-command.js')).agentCommand(options));
  registerRun(agent);
}

function registerRun(agent: Command): void {
  withTurnOptions(agent.command('run'))
    .description('set the turn and run the agent CLI installed here; its answer comes on stdout')
    .option('--timeout <seconds>', 'for the whole run; 600 without it')
    .option('--first-byte-timeout <seconds>', 'until it begins to answer; depends on the CLI without it')
    .option('--trim <how>', 'how context gives way: exact, or hops, which keep a cache hitting')
    .option('--model <name>', 'which model the CLI shall use')
    .option('--native', "system text in place of the CLI's own, and no tools where they can be switched off")
    .option('--explain', 'say on stderr what was kept, what was left out, and why')
    .option('--json', 'print answer, usage and receipt as JSON when it is done')
    .addHelpText(
      'after',
      `\nExamples:\n  galley agent run --agent claude --message "What does this project do?" < /dev/null\n  galley agent run --agent codex --trim hops --timeout 120 < conversation.jsonl\n\nThe CLI is found on the PATH, or named by GALLEY_CLAUDE, GALLEY_CODEX or GALLEY_GEMINI.\nGALLEY_AGENT_ENV names variables it shall see beside its own.\n${exampleMessage}`,
    )
    .action(async (options) => (await import('./agent-run-command.js')).agentRunCommand(options));
}

function withTurnOptions(command: Command): Command {
  return command
    .option('--agent <type>', 'claude, codex, gemini, or any other name for plain text', 'claude')
    .option('--task <text>', 'what the team works on')
    .option(
      '--message <text>',
      'the current message; without it the last message on stdin is the current one',
    )
    .option('--system-file <file>', 'file with the system text')
    .option('--max-bytes <n>', 'budget for prompt and system text together');
}
