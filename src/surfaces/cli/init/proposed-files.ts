// Files that a command proposes: shown first, written when one agrees. What people changed is never replaced without a word.
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { GalleyError } from '../../../core/model/error.js';
import { openRepository } from '../../../git/repository/open-repository.js';
import { lineDiff } from '../install/mcp-install.js';
import { colours } from '../terminal/colours.js';
import { padded } from '../terminal/table.js';
import { askYes, canAsk } from '../terminal/talk.js';
import { word } from '../words/word.js';

export interface ProposedFile {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly content: string;
  readonly about: string;
  /** Lines of it that are shown; the rest is counted. */
  readonly shown: number;
  /** What stands there now; undefined where nothing does. */
  readonly before: string | undefined;
  /** Stays as it is, whatever it says. */
  readonly isSettled?: boolean;
}

export interface ProposalOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export async function repositoryRoot(folder: string): Promise<string> {
  const repository = await openRepository(resolve(folder));
  const { topLevel } = repository;
  await repository.close();
  if (topLevel !== undefined) return topLevel;
  throw new GalleyError(
    'NOT_A_REPOSITORY',
    'A bare repository has no files of its own; go to a clone of it.',
  );
}

export async function textAt(root: string, path: string): Promise<string | undefined> {
  if (!existsSync(join(root, path))) return undefined;
  return readFile(join(root, path), 'utf8').catch((cause: unknown) => {
    throw new GalleyError('FILE_UNREADABLE', `${path} cannot be read; it stays as it is.`, {
      details: { file: path },
      cause,
    });
  });
}

export function isToWrite({ before, content, isSettled }: ProposedFile): boolean {
  return before === undefined || (isSettled !== true && before !== content);
}

/** Whether they were written. */
export async function propose(
  root: string,
  files: readonly ProposedFile[],
  options: ProposalOptions,
): Promise<boolean> {
  const open = files.filter(isToWrite);
  if (!options.json) show(files, options.dryRun !== true && options.yes === true);
  const agreed = open.length > 0 && options.dryRun !== true && (options.yes || (await agrees(options)));
  if (agreed !== true) return false;
  for (const file of open) await write(root, file);
  return true;
}

/** As answers to programs have them. */
export function proposedRows(files: readonly ProposedFile[]) {
  return files.map((file) => ({
    path: file.path,
    isNew: file.before === undefined,
    ...(file.before !== undefined && isToWrite(file) ? { isChanged: true } : {}),
    ...(isToWrite(file) ? { content: file.content } : {}),
  }));
}

function show(files: readonly ProposedFile[], writes: boolean): void {
  for (const file of files) {
    const { path, content, about, shown, before } = file;
    const isOpen = isToWrite(file);
    const verbs =
      before === undefined
        ? (['init.writes', 'init.would-write'] as const)
        : (['init.changes', 'init.would-change'] as const);
    const verb = padded(isOpen ? word(verbs[writes ? 0 : 1]) : word('init.keeps'), 11);
    const painted = !isOpen
      ? colours.dim(verb)
      : before === undefined
        ? colours.green(verb)
        : colours.yellow(verb);
    process.stdout.write(`${painted}  ${colours.bold(path)}\n  ${colours.dim(about)}\n`);
    if (!isOpen) continue;
    const lines =
      before === undefined ? content.trimEnd().split('\n') : lineDiff(before, content, path).slice(2);
    for (const line of lines.slice(0, shown)) process.stdout.write(colours.dim(`  │ ${line}\n`));
    const more = lines.length - shown;
    if (more > 0) process.stdout.write(colours.dim(`  │ … ${word('count.more-lines', { n: more })}\n`));
  }
}

/** Only a person at a terminal can be asked; elsewhere nothing is written, and the exit code says so. */
async function agrees({ json }: ProposalOptions): Promise<boolean> {
  if (json || !canAsk()) {
    process.stderr.write(`galley: ${word('init.no-terminal')}\n`);
    process.exitCode = 2;
    return false;
  }
  const agreed = await askYes(word('init.ask'));
  if (!agreed) process.stderr.write(`${word('init.nothing')}\n`);
  return agreed;
}

async function write(root: string, { path, content, before }: ProposedFile): Promise<void> {
  // Somebody may have been quicker than the answer.
  if ((await textAt(root, path)) !== before)
    throw new GalleyError('ALREADY_EXISTS', `${path} was changed meanwhile; look at the change again.`, {
      details: { file: path },
    });
  try {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  } catch (cause) {
    throw new GalleyError('FILE_UNREADABLE', `${path} cannot be written; check the rights of its folder.`, {
      details: { file: path },
      cause,
    });
  }
}
