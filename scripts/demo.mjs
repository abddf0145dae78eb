// The first minute: all three desks on samples that come with Galley. No key, no model, no question.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeDemoRepository } from './demo-repository.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const galley = join(root, 'bin', 'galley.js');
const demo = join(root, '.galley-demo');
const repository = join(demo, 'repository');
const novel = join(demo, 'novel');

const run = (folder, args, input = '') => {
  const env = { ...process.env, GALLEY_STORE: join(demo, 'galley.db'), NO_COLOR: '1' };
  const options = {
    cwd: folder,
    env,
    input,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe'],
    maxBuffer: 1 << 28,
  };
  return execFileSync(process.execPath, [galley, ...args], options);
};
const call = (folder, operation, request) =>
  JSON.parse(run(folder, ['call', operation], JSON.stringify(request)));

rmSync(demo, { recursive: true, force: true });
mkdirSync(demo, { recursive: true });

console.log(
  '1. Review: a lockfile of 5,000 lines, one line of 17 MB, a binary, a Chinese file, a change to sessions',
);
makeDemoRepository(repository);
const table = run(repository, ['review', '--base', 'main', '--out', join(demo, 'review')]);
console.log(
  table
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('Wrote'))
    .join('\n'),
);
const answer = [
  {
    path: 'src/session.ts',
    startLine: 10,
    endLine: 10,
    severity: 'high',
    category: 'correctness',
    confidence: 0.9,
    title: 'Expired sessions are accepted for a second',
    message: 'Compare milliseconds with milliseconds.',
    evidence: "if (Number(expiry) * 1000 < now) throw new Error('session expired');",
  },
];
for (const [format, file] of [
  ['markdown', 'report.md'],
  ['json', 'report.json'],
  ['sarif', 'report.sarif'],
]) {
  const request = { mode: 'pr', base: 'main', answers: [JSON.stringify(answer)], format };
  writeFileSync(join(demo, file), call(repository, 'review:report', request).report);
}

console.log('\n2. Writing: a Chinese novel, assembled three times');
cpSync(join(root, 'examples', 'novel'), novel, { recursive: true });
run(novel, ['write', 'index', '--project', 'demo']);
const [chapter] = call(novel, 'documents:list', { projectId: 'demo' }).documents.slice(-1);
const assemble = () =>
  call(novel, 'context:assemble', {
    projectId: 'demo',
    documentId: chapter.documentId,
    cursorPosition: 1_000_000,
    skillId: 'continue',
  });
const say = (name, { tokenCount, layers, stablePrefixUnchanged, prefixChange }) => {
  const parts = Object.entries(layers).map(([layer, { tokens }]) => `${layer} ${tokens}`);
  const prefix = stablePrefixUnchanged
    ? 'prefix unchanged'
    : `prefix ${prefixChange ? `changed: ${prefixChange.reason} ${prefixChange.fragment?.split(':')[0] ?? ''}` : 'new'}`;
  console.log(`  ${name}  ${tokenCount} tokens (${parts.join(', ')}); ${prefix}`);
};
say('first ', assemble());
say('second', assemble());
call(novel, 'constraints:create', { projectId: 'demo', text: '第七章之前，没有人离开这座城', kind: 'plot' });
const third = assemble();
say('third ', third);
writeFileSync(join(demo, 'receipt.json'), `${JSON.stringify(third.receipt, null, 2)}\n`);

console.log('\n3. Agents: one turn in four dialects, the oldest message giving way to 150 bytes');
const conversation = JSON.stringify([
  { from: 'kailai', to: 'max', content: 'Hi, please help design a feature' },
  { from: 'max', to: 'sarah', content: 'Use sessions, not tokens' },
  { from: 'kailai', to: 'sarah', content: 'What do you think?' },
]);
for (const agent of ['claude', 'codex', 'gemini', 'plain']) {
  const flags = ['--agent', agent, '--task', 'Design a login', '--max-bytes', '150'];
  const prompt = run(demo, ['agent', ...flags], conversation);
  console.log(`  ${agent.padEnd(7)} ${JSON.stringify(prompt.trimEnd())}`);
}
console.log(
  '\nPages, reports (Markdown, JSON, SARIF) and receipts are in .galley-demo/. Next, in any git repository:',
);
console.log('  galley review   ·   galley write --help   ·   galley agent --help');
