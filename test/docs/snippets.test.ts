// What the documents show can be used as it stands: code compiles, data parses, links lead somewhere, commands and flags exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseSkill } from '../../src/skills/parse-skill.js';
import { wholeProgram } from '../../src/surfaces/cli/program.js';

const generated = new Set(['docs/api.md', 'docs/cli.md', 'docs/operations.md']);
const pages = [
  'README.md',
  'AGENTS.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`),
].sort();

interface Fence {
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

const fences = pages
  .filter((page) => !generated.has(page))
  .flatMap((page): Fence[] =>
    [...readFileSync(page, 'utf8').matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(
      ([, language = '', text = '']) => ({ page, language, text }),
    ),
  );
const inLanguage = (...languages: string[]) => fences.filter(({ language }) => languages.includes(language));

/** What an Electron application has and a checkout of Galley has not. */
const electron = `declare module 'electron' {
  export const app: { getPath(name: string): string; on(event: string, listener: () => void): void };
  export const ipcMain: import('../dist/types/surfaces/ipc/register-ipc.js').IpcMain;
  export const ipcRenderer: import('../dist/types/surfaces/ipc/preload-client.js').IpcRenderer;
  export const contextBridge: { exposeInMainWorld(name: string, value: unknown): void };
}
interface Window {}
declare const window: Window;
`;

it('code compiles as a reader would paste it', () => {
  const files = new Map([[resolve('docs/electron.d.ts'), electron]]);
  const places = new Map<string, string>();
  inLanguage('ts').forEach(({ page, text }, index) => {
    const name = resolve(`docs/snippet-${index}.ts`);
    files.set(name, text);
    places.set(name, page);
  });
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
  // `galley` is found as its readers find it: by what the package exports.
  const settings = { ...options, noEmit: true };
  const host = ts.createCompilerHost(settings);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (name) => files.has(resolve(name)) || fileExists(name);
  host.readFile = (name) => files.get(resolve(name)) ?? readFile(name);
  host.getSourceFile = (name, target, ...rest) => {
    const text = files.get(resolve(name));
    return text === undefined
      ? getSourceFile(name, target, ...rest)
      : ts.createSourceFile(name, text, target, true);
  };
  const program = ts.createProgram([...files.keys()], settings, host);
  const faults = [...places].flatMap(([name, page]) => {
    const source = program.getSourceFile(name);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(({ messageText }) => `${page}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
  });
  expect(places.size).toBeGreaterThan(5);
  expect(faults).toEqual([]);
});

it('data parses, and skills are skills', () => {
  for (const { text } of inLanguage('json')) expect(() => JSON.parse(text)).not.toThrow();
  for (const { text } of inLanguage('yaml')) expect(() => parse(text)).not.toThrow();
  for (const { text } of inLanguage('markdown')) expect(parseSkill(text).name).not.toBe('');
  expect(inLanguage('json', 'yaml', 'markdown').length).toBeGreaterThan(2);
});

it('links lead somewhere', () => {
  const broken = pages.flatMap((page) => {
    const text = readFileSync(page, 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    return links
      .filter((link) => !/^https?:/.test(link) && !leads(page, link))
      .map((link) => `${page}: ${link}`);
  });
  expect(broken).toEqual([]);
});

function leads(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(target)) return false;
  if (anchor === undefined) return true;
  const headings = [...readFileSync(target, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, words = '']) =>
    words
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s-]/gu, '')
      .replace(/\s/g, '-'),
  );
  return headings.includes(anchor);
}

it('commands and their flags exist', () => {
  const lines = inLanguage('sh', '')
    .flatMap(({ page, text }) =>
      text
        .replace(/\\\n/g, ' ')
        .split('\n')
        .map((line) => ({ page, line })),
    )
    .flatMap(({ page, line }) =>
      [...line.replace(/\s#.*$/, '').matchAll(/(?:^|[|&]\s*|\s)galley((?: [^|&<>\n]*)?)/g)]
        .filter(([whole]) => !/[=/]galley/.test(whole))
        .map(([, words = '']) => ({ page, words: words.trim() })),
    );
  const unknown = lines
    .filter(({ words }) => !isCommand(words))
    .map(({ page, words }) => `${page}: ${words}`);
  expect(lines.length).toBeGreaterThan(30);
  expect(unknown).toEqual([]);
});

function isCommand(words: string): boolean {
  let command: Command = wholeProgram();
  const flags: string[] = [];
  for (const part of words.match(/"[^"]*"|'[^']*'|\S+/g) ?? []) {
    if (part === '--') break;
    if (/^-./.test(part)) flags.push(part.split('=')[0] ?? part);
    else if (flags.length === 0) command = command.commands.find((child) => child.name() === part) ?? command;
  }
  if (words !== '' && !words.startsWith('-') && command.parent === null) return false;
  const known: string[] = [];
  for (let at: Command | null = command; at !== null; at = at.parent)
    known.push(...at.options.flatMap(({ short, long }) => [short ?? '', long ?? '']));
  return flags.every((flag) => known.includes(flag) || ['--lang', '--help', '--version'].includes(flag));
}
