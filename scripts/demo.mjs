// The first minute: what Galley does, on samples that come with it. No key, no model, no question.
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const galley = join(root, 'bin', 'galley.js');

const conversation = [
  { from: 'kailai', to: 'max', content: 'Hi, please help design a feature' },
  { from: 'max', to: 'sarah', content: 'I suggest using a microservice architecture' },
  { from: 'kailai', to: 'sarah', content: 'What do you think about this approach?' },
];
for (const agent of ['claude', 'codex', 'gemini', 'plain']) {
  console.log(`\n── one agent turn, as ${agent} reads it, in 200 bytes`);
  const args = [
    galley,
    'agent',
    '--agent',
    agent,
    '--task',
    'Design a login',
    '--max-bytes',
    '150',
    '--explain',
  ];
  const stdio = ['pipe', 'inherit', 'inherit'];
  execFileSync(process.execPath, args, { cwd: root, input: JSON.stringify(conversation), stdio });
}
console.log('\nNext: galley agent --help · galley call agents:assemble < request.json · npm test');
