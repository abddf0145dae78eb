// Builds what is shipped into dist/: the declarations beside the programs and the page, as neither needs the other.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });

const programs = [
  ['tsup', '--silent'],
  ['vite', 'build', 'web', '--config', 'web/vite.config.ts'],
  ['vite', 'build', 'web', '--config', 'web/saved.config.ts'],
];
const declarations = [['tsc', '-p', 'tsconfig.build.json']];

async function run([command, ...args]) {
  const child = spawn(command, args, { stdio: 'inherit', shell: process.platform === 'win32' });
  const status = await new Promise((done) => {
    child.once('error', () => done(1)).once('close', done);
  });
  if (status !== 0) throw new Error(`"${[command, ...args].join(' ')}" failed`);
}

async function runInTurn(commands) {
  for (const command of commands) await run(command);
}

try {
  await Promise.all([runInTurn(programs), runInTurn(declarations)]);
} catch ({ message }) {
  console.error(`build: ${message}`);
  process.exit(1);
}
