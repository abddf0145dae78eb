// Every command line that help, the README and the guides show goes the whole way from its words through the table to its operation, in
// a repository with a book in it. A machine without models, agents and a network may refuse it for that, never for its words.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { isGalleyError } from '../../core/model/error.js';
import { inFolder, scratchFolder, scratchRepository } from '../../git/testing/scratch-repository.js';
import type { CommandRow } from './commands/command-row.js';
import { commandPaths, commands } from './commands/commands.js';
import { runCommandLine } from './run-program.js';

/** They answer until they are stopped, or reach for a host; tests of their own start them. */
const elsewhere =
  /galley (serve|mcp|open|write open|watch|worker|pr)\b(?! install)|--open|postgres:\/\/|ollama\//u;

/** Refused here for what the folder or the machine lacks, in the words of a wrong command line. */
const lacking = [
  /^There is no message yet/u,
  /^There is no terminal to open the agent in/u,
  /^room: it is closed/u,
  /^agent: the last message is for nobody who could answer/u,
  /^--from: this copy of Galley does not know where it comes from/u,
];

const guides = [
  'README.md',
  ...['agents', 'continuous-integration', 'reviewing'].map((name) => `docs/guides/${name}.md`),
];
const examples = new Set(
  [
    ...commandPaths.flatMap((path) => (commands[path] as CommandRow).examples),
    ...guides.flatMap(linesOf),
  ].filter((line) => !elsewhere.test(line)),
);

/** The command lines of a guide, without what is said about them. */
function linesOf(file: string): string[] {
  const blocks = readFileSync(file, 'utf8').matchAll(/^```sh\n(.*?)^```/gmsu);
  const lines = [...blocks].flatMap(([, block = '']) => block.split('\n'));
  return lines.filter((line) => line.startsWith('galley')).map((line) => line.replace(/\s+#.*$/u, ''));
}

const began = process.cwd();
const home = scratchFolder();
const repository = scratchRepository();

beforeAll(() => {
  repository.write(
    'src/session.ts',
    'export function sessionExpired(age: number) {\n  return age > 60;\n}\n',
  );
  repository.write(
    'chapters/01.md',
    '# 一\n\n林远看着灯塔。银钥匙在老宅里。\n\nThe door opened. The room was empty.\n',
  );
  repository.write('chapters/02.md', '# 二\n\n林远回来了。\n\n他没有说话。\n');
  repository.write(
    'chapters/03-the-box.md',
    '# 三\n\nThe door was open.\n\nThe room was empty.\n\n林远走了。\n',
  );
  repository.commit('one');
  repository.git('checkout', '-q', '-b', 'topic');
  repository.write(
    'src/session.ts',
    'export function sessionExpired(age: number) {\n  return age > 90;\n}\n',
  );
  repository.commit('two');
  const message = { from: 'user', content: 'Hello' };
  repository.write('conversation.jsonl', `${JSON.stringify(message)}\n`);
  repository.write('conversation.json', JSON.stringify([message]));
  repository.write('stack-trace.txt', 'Error: late\n    at sessionExpired (src/session.ts:2:3)\n');
  repository.write('eslint.json', '[]');
  repository.write('answer.json', '{"findings":[]}');
  repository.write('page-1.txt', '{"findings":[]}');
  repository.write('request.json', '{"repo":".","mode":"working"}');
  repository.write('review/SKILL.md', '---\nname: review\ndescription: Reviews.\n---\n\nBe brief.\n');
  repository.write('agents.json', '[{"name":"max","agentType":"claude"}]');
  vi.stubEnv('HOME', home);
  vi.stubEnv('PATH', gitAlone());
  for (const name of Object.keys(process.env))
    if (/_API_KEY$|^GALLEY_|^(?:CODEX|CLAUDE|GEMINI)/u.test(name)) vi.stubEnv(name, undefined);
  process.chdir(repository.folder);
});
afterAll(() => {
  process.chdir(began);
  vi.unstubAllEnvs();
  repository.dispose();
  inFolder(home).dispose();
});

/** No agent of this machine is ever started. */
function gitAlone(): string {
  const folder = join(home, 'bin');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'git'), `#!/bin/sh\nPATH='${process.env.PATH}' exec git "$@"\n`);
  chmodSync(join(folder, 'git'), 0o755);
  return folder;
}

it.each([...examples])('%s', async (line) => {
  const { args, input } = wordsOf(line);
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin')!;
  const said: string[] = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  Object.defineProperty(process, 'stdin', { value: Readable.from([input]), configurable: true });
  try {
    await runCommandLine(args, 'en');
    if (process.exitCode === 2) expect(said.join('')).toSatisfy(isLacking);
  } catch (error) {
    if (!isGalleyError(error) || error.code === 'INTERNAL') throw error;
    if (error.code === 'INVALID_ARGUMENT') expect(error.message).toSatisfy(isLacking);
  } finally {
    Object.defineProperty(process, 'stdin', stdin);
    vi.restoreAllMocks();
  }
});

function isLacking(words: string): boolean {
  return lacking.some((reason) => reason.test(words));
}

/** As a shell takes it, but for variables; what stands behind a pipe is another program's. */
function wordsOf(line: string): { args: string[]; input: Buffer } {
  const said = line.replace(/^source <\((.*)\)$/u, '$1').replace(/^echo '(.*)' \| (.*)$/u, '$2 <<<$1');
  const own = said.split(' | ')[0] ?? '';
  const [, before = own, given] = /^(.*) <<<(.*)$/u.exec(own) ?? [];
  const [, command = before, file] = /^(.*?) < (\S+)$/u.exec(before) ?? [];
  const words = command.replace(/ > .*$/u, '').matchAll(/"([^"]*)"|'([^']*)'|(\S+)/gu);
  const [, ...args] = [...words].map(([, double, single, plain]) => double ?? single ?? plain ?? '');
  return {
    args: args.map((word) => word.replace('page-*', 'page-1')),
    input: file === undefined ? Buffer.from(given ?? '') : readFileSync(file),
  };
}
