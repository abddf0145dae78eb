// galley mcp install: shows the exact change to a client's configuration, and makes it only when told to.

import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { GalleyError } from '../../../core/model/error.js';
import { colours } from '../terminal/colours.js';
import { askYes, canAsk, print, printJson, say } from '../terminal/talk.js';
import { word } from '../words/word.js';
import { type ServerEntry, withJsonEntry, withoutJsonEntry } from './json-entry.js';
import { withoutTomlEntry, withTomlEntry } from './toml-entry.js';

export interface InstallOptions {
  readonly client: 'claude' | 'cursor' | 'codex' | 'gemini' | 'vscode';
  readonly yes?: boolean;
  readonly remove?: boolean;
  readonly command: string;
  readonly json?: boolean;
}

interface Place {
  readonly path: string;
  /** How the client writes the folder of the project, when it may start programs elsewhere. */
  readonly folder?: string;
  put(text: string, entry: ServerEntry): string;
  remove(text: string): string;
}

const jsonPlace = (path: string, container: string, extra: object = {}): Place => ({
  path,
  put: (text, entry) => withJsonEntry(text, container, { ...extra, ...entry }),
  remove: (text) => withoutJsonEntry(text, container),
});

// biome-ignore lint/suspicious/noTemplateCurlyInString: the client fills it in
const workspace = '${workspaceFolder}';

const places: Readonly<Record<InstallOptions['client'], Place>> = {
  claude: jsonPlace('.mcp.json', 'mcpServers'),
  cursor: { ...jsonPlace('.cursor/mcp.json', 'mcpServers'), folder: workspace },
  vscode: { ...jsonPlace('.vscode/mcp.json', 'servers', { type: 'stdio' }), folder: workspace },
  gemini: jsonPlace('.gemini/settings.json', 'mcpServers'),
  codex: { path: '.codex/config.toml', put: withTomlEntry, remove: withoutTomlEntry },
};

export async function mcpInstall(options: InstallOptions): Promise<void> {
  const { client, yes, remove, command, json } = options;
  const { path, folder, ...place } = places[client];
  const args = folder === undefined ? ['mcp'] : ['mcp', '--folder', folder];
  const before = await readConfiguration(path);
  const after = remove ? place.remove(before) : place.put(before, { command, args });
  const change = after === before ? [] : lineDiff(before, after, path);
  if (json) {
    if (yes && after !== before) await writeConfiguration(path, before, after);
    return printJson({ path, change, written: yes === true && after !== before });
  }
  if (after === before) {
    say(`${word(remove ? 'mcp.install.absent' : 'mcp.install.there', { path })}\n`);
    return;
  }
  for (const line of change) print(`${coloured(line)}\n`);
  if (!yes && !(canAsk() && (await askYes(word('mcp.install.ask', { path }))))) {
    say(`${word('mcp.install.unwritten')}\n`);
    return;
  }
  await writeConfiguration(path, before, after);
  const started = [command, ...args].join(' ');
  say(`${remove ? word('mcp.install.removed', { path }) : word('mcp.install.wrote', { path, started })}\n`);
  if (!remove && !isOnPath(command)) {
    say(`${word('mcp.install.not-on-path', { command })}\n`);
  }
}

function isOnPath(command: string): boolean {
  if (/[\\/]/.test(command)) return existsSync(command);
  const endings = process.platform === 'win32' ? ['.cmd', '.exe', ''] : [''];
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.some((folder) => endings.some((ending) => existsSync(join(folder, command + ending))));
}

function coloured(line: string): string {
  if (line.startsWith('+')) return colours.green(line);
  return line.startsWith('-') ? colours.red(line) : line;
}

/** Empty when there is no such file. */
async function readConfiguration(path: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new GalleyError('FILE_UNREADABLE', `${path} cannot be read as UTF-8 text; it stays as it is.`, {
      cause,
    });
  }
}

/** Whole or not at all, and only if nobody changed it since it was shown. */
async function writeConfiguration(path: string, before: string, after: string): Promise<void> {
  if ((await readConfiguration(path)) !== before) {
    throw new GalleyError('ALREADY_EXISTS', `${path} was changed meanwhile; look at the change again.`);
  }
  try {
    await mkdir(dirname(path), { recursive: true });
    const target = await realpath(path).catch(() => path);
    const mode = await stat(target).then(
      (found) => found.mode,
      () => 0o644,
    );
    const draft = `${target}.galley-${process.pid}`;
    await writeFile(draft, after, { mode, flag: 'wx' });
    await rename(draft, target);
  } catch (cause) {
    throw new GalleyError('FILE_UNREADABLE', `${path} cannot be written.`, { cause });
  }
}

const around = 3;

/** A change to a small file as people read it: the lines that go, the lines that come, three around them. */
export function lineDiff(before: string, after: string, path: string): string[] {
  const old = linesOf(before);
  const fresh = linesOf(after);
  let head = 0;
  while (head < Math.min(old.length, fresh.length) && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (
    tail < Math.min(old.length, fresh.length) - head &&
    old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]
  ) {
    tail += 1;
  }
  const start = Math.max(0, head - around);
  const context = (lines: readonly string[]) => lines.map((line) => ` ${line}`);
  const oldEnd = old.length - tail;
  const freshEnd = fresh.length - tail;
  const below = old.slice(oldEnd, oldEnd + around);
  const range = (end: number) => {
    const length = end + below.length - start;
    return `${length === 0 ? 0 : start + 1},${length}`;
  };
  return [
    before === '' ? '--- /dev/null' : `--- a/${path}`,
    `+++ b/${path}`,
    `@@ -${range(oldEnd)} +${range(freshEnd)} @@`,
    ...context(old.slice(start, head)),
    ...old.slice(head, oldEnd).map((line) => `-${line}`),
    ...fresh.slice(head, freshEnd).map((line) => `+${line}`),
    ...context(below),
  ];
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
