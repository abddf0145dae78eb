// An agent CLI of a few lines: keeps what it was given as bytes and says the next words of its list in the events of its kind.
// Called as: node plain-agent.mjs <cli> <folder> <arguments of the CLI>
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [cli, folder, ...args] = process.argv.slice(2);
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);

const after = (ending) => args[args.findIndex((arg) => arg.endsWith(ending)) + 1];
const instructions = args.find((arg) => arg.startsWith('model_instructions_file='));
const file = args.some((arg) => arg.endsWith('system-prompt-file'))
  ? after('system-prompt-file')
  : instructions === undefined
    ? process.env.GEMINI_SYSTEM_MD
    : JSON.parse(instructions.slice(instructions.indexOf('=') + 1));
const inline = args.includes('--append-system-prompt') ? after('--append-system-prompt') : '';
const system = file === undefined ? Buffer.from(inline) : readFileSync(file);

const kept = join(folder, 'calls.jsonl');
const list = JSON.parse(readFileSync(join(folder, 'words.json'), 'utf8'));
const before = existsSync(kept) ? readFileSync(kept, 'utf8').split('\n').length - 1 : 0;
const call = {
  by: `cli/${cli}`,
  args,
  system: system.toString('base64'),
  prompt: Buffer.concat(chunks).toString('base64'),
};
appendFileSync(kept, `${JSON.stringify(call)}\n`);

const words = list[Math.min(before, list.length - 1)];
const usage = { input_tokens: 9, output_tokens: 3 };
const events = {
  claude: [
    { type: 'system', subtype: 'init' },
    { type: 'assistant', message: { model: 'plain', content: [{ type: 'text', text: words }] } },
    { type: 'result', subtype: 'success', is_error: false, num_turns: 1, result: words, usage },
  ],
  codex: [
    { type: 'turn.started' },
    { type: 'item.completed', item: { id: 'i', type: 'agent_message', text: words } },
    { type: 'turn.completed', usage },
  ],
  gemini: [
    { type: 'init', model: 'plain' },
    { type: 'message', role: 'assistant', content: words, delta: true },
    { type: 'result', status: 'success', stats: usage },
  ],
};
for (const event of events[cli]) process.stdout.write(`${JSON.stringify(event)}\n`);
