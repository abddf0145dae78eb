import type { Command } from 'commander';

export function registerAgent(program: Command): void {
  program
    .command('agent')
    .description('set one turn for an agent CLI from a conversation on stdin (JSON array or JSON lines)')
    .option('--agent <type>', 'claude, codex, gemini, or any other name for plain text', 'claude')
    .option('--task <text>', 'what the team works on')
    .option(
      '--message <text>',
      'the current message; without it the last message on stdin is the current one',
    )
    .option('--system-file <file>', 'file with the system text')
    .option('--max-bytes <n>', 'budget for prompt and system text together')
    .option('--explain', 'say on stderr what was kept, what was left out, and why')
    .option('--json', 'print prompt, system text and receipt as JSON')
    .addHelpText(
      'after',
      `\nExamples:\n  galley agent --agent codex --task "Fix the login" < conversation.jsonl | codex exec -\n  galley agent --max-bytes 4096 --explain < conversation.json\n\nA message is {"from": "max", "to": "sarah", "content": "…"}; "to" may be left out.\n`,
    )
    .action(async (options) => (await import('./agent-command.js')).agentCommand(options));
}
