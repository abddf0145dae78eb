// A conversation of two turns with each real CLI, kept in its session file: it reads, plans, edits, and is asked something more.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentCliName } from '../../src/models/cli/agent-cli.js';
import type { Reply, Script } from '../../src/testing/loopback/open-loopback.js';
import { type RealHome, realCommand } from './real-home.js';

/** Long enough that the markup around it does not count. */
const source = Array.from(
  { length: 300 },
  (_, at) => `export const rate${at} = convert(${at}, "汇率 ${at}");\n`,
).join('');

export const firstRequest = 'Rename convert to exchange in notes.md, and keep the sign of rate 17.';
export const secondRequest = 'Say in one line what is left to do.';
const rename = "sed -i 's/convert/exchange/' rates.ts";
export const decision = 'Rounding stays half-even, since the ledger was written with it.';
export const lastAnswer = 'The renaming in rates.ts is left.';

export function prepareWork({ work }: RealHome): void {
  writeFileSync(join(work, 'rates.ts'), source);
  writeFileSync(join(work, 'notes.md'), 'The function is called convert.\n');
  for (const args of [
    ['init', '-q'],
    ['config', 'user.email', 'ada@example.org'],
    ['config', 'user.name', 'Ada'],
    ['add', '.'],
    ['commit', '-qm', 'one'],
  ])
    spawnSync('git', args, { cwd: work });
}

type ToolCalls = NonNullable<Reply['toolCalls']>;

const steps: Readonly<Record<AgentCliName, (work: string) => readonly ToolCalls[]>> = {
  claude: (work) => [
    [
      { name: 'Read', input: { file_path: join(work, 'rates.ts') } },
      { name: 'Read', input: { file_path: join(work, 'notes.md') } },
    ],
    [
      {
        name: 'TaskCreate',
        input: { subject: 'Rename in notes.md', description: 'in the text', activeForm: 'Renaming' },
      },
    ],
    [
      {
        name: 'TaskCreate',
        input: { subject: 'Rename in rates.ts', description: 'all of them', activeForm: 'Renaming' },
      },
    ],
    [{ name: 'TaskUpdate', input: { taskId: '1', status: 'completed' } }],
    [
      {
        name: 'Edit',
        input: { file_path: join(work, 'notes.md'), old_string: 'convert', new_string: 'exchange' },
      },
    ],
  ],
  codex: () => [
    [{ name: 'exec_command', input: { cmd: 'cat rates.ts' } }],
    [
      {
        name: 'update_plan',
        input: {
          plan: [
            { step: 'Rename in notes.md', status: 'completed' },
            { step: 'Rename in rates.ts', status: 'pending' },
          ],
        },
      },
    ],
    [
      {
        name: 'exec_command',
        input: {
          cmd: "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: notes.md\n@@\n-The function is called convert.\n+The function is called exchange.\n*** End Patch\nEOF",
        },
      },
    ],
  ],
  gemini: () => [
    [{ name: 'read_file', input: { file_path: 'rates.ts' } }],
    [
      {
        name: 'write_todos',
        input: {
          todos: [
            { description: 'Rename in notes.md', status: 'completed' },
            { description: 'Rename in rates.ts', status: 'pending' },
          ],
        },
      },
    ],
    [
      {
        name: 'replace',
        input: {
          file_path: 'notes.md',
          instruction: 'rename',
          old_string: 'convert',
          new_string: 'exchange',
        },
      },
    ],
  ],
};

const quiet = {
  IS_SANDBOX: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_AUTOUPDATER: '1',
  GEMINI_CLI_NO_RELAUNCH: 'true',
};

const claudeArgs = [
  '-p',
  '--output-format',
  'json',
  '--permission-mode',
  'bypassPermissions',
  '--model',
  'claude-sonnet-4-5',
];
// A model it does not know gets the tools as plain functions.
const codexArgs = [
  'exec',
  '--json',
  '--skip-git-repo-check',
  '-s',
  'danger-full-access',
  '--disable',
  'plugins',
  '--disable',
  'apps',
  '-c',
  'analytics.enabled=false',
  '-m',
  'gpt-5-unheard-of',
];
const geminiArgs = ['--skip-trust', '--approval-mode', 'yolo', '-o', 'json', '-m', 'gemini-2.5-flash'];

const commandLines: Readonly<Record<AgentCliName, readonly [first: string[], next: string[]]>> = {
  claude: [claudeArgs, [...claudeArgs, '--continue']],
  codex: [
    [...codexArgs, '-'],
    [...codexArgs, 'resume', '--last', '-'],
  ],
  gemini: [geminiArgs, [...geminiArgs, '--resume', 'latest']],
};

export function conversation(cli: AgentCliName, work: string): Script {
  const [reading = [], ...rest] = steps[cli](work);
  return [
    { text: 'I look at the rates first.', reasoning: 'Which file holds them?', toolCalls: reading },
    ...rest.map((toolCalls) => ({ toolCalls })),
    { text: `The notes are done. ${decision}` },
    { text: lastAnswer },
  ];
}

/** Whether the CLI came to its end by itself. */
export function runCli(
  home: RealHome,
  cli: AgentCliName,
  args: readonly string[],
  input: string,
): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(realCommand(cli), args, {
      cwd: home.work,
      env: { ...home.environment, ...quiet },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.on('close', resolve);
    child.stdin.end(input);
  });
}

export async function haveConversation(home: RealHome, cli: AgentCliName): Promise<void> {
  home.loopback.forgetCalls();
  home.loopback.play(conversation(cli, home.work));
  const [first, next] = commandLines[cli];
  await runCli(home, cli, first, firstRequest);
  await runCli(home, cli, next, secondRequest);
  if (!readFileSync(join(home.work, 'notes.md'), 'utf8').includes('exchange'))
    throw new Error(`${cli} changed nothing`);
}

/** How each of them is told, without a terminal, to go on with what stands on its standard input. */
export const goOnLines: Readonly<Record<AgentCliName, readonly string[]>> = {
  claude: claudeArgs,
  codex: [...codexArgs, '-'],
  gemini: geminiArgs,
};

/** What finishes the work: the last step of the plan, done with a tool of that CLI. */
export const lastStep: Readonly<Record<AgentCliName, (work: string) => ToolCalls>> = {
  claude: () => [{ name: 'Bash', input: { command: rename, description: 'rename' } }],
  codex: () => [{ name: 'exec_command', input: { cmd: rename } }],
  gemini: () => [{ name: 'run_shell_command', input: { command: rename } }],
};
