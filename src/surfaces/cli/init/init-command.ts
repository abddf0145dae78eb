// galley init: shows the files that settle how a repository is reviewed, and writes them when one agrees. What is there stays.

import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { GalleyError } from '../../../core/model/error.js';
import { openRepository } from '../../../git/repository/open-repository.js';
import { reviewConfigSchema } from '../../../review/change/review-config.js';
import { colours } from '../terminal/colours.js';
import { padded } from '../terminal/table.js';
import { askYes, canAsk } from '../terminal/talk.js';
import { word } from '../words/word.js';

export interface InitOptions {
  readonly repo: string;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export const initAnswer = z.strictObject({
  files: z.array(
    z.strictObject({
      path: z.string().describe('relative to the root of the repository'),
      isNew: z.boolean().describe('false: it is there already and stays as it is'),
      content: z.string().optional().describe('of a new file'),
    }),
  ),
  written: z.boolean(),
});

interface Wanted {
  readonly path: string;
  readonly isNew: boolean;
  readonly content: string;
  readonly about: string;
  /** Lines of it that are shown; the rest is counted. */
  readonly shown: number;
}

export async function initCommand(options: InitOptions): Promise<void> {
  const root = await rootOf(options.repo);
  const files = wantedFiles(root);
  const fresh = files.filter(({ isNew }) => isNew);
  if (!options.json) show(files, options.dryRun !== true && options.yes === true);
  const agreed = fresh.length > 0 && options.dryRun !== true && (options.yes || (await agrees(options)));
  if (agreed) for (const file of fresh) await write(root, file);
  if (options.json) {
    const rows = files.map(({ path, isNew, content }) => ({ path, isNew, ...(isNew ? { content } : {}) }));
    process.stdout.write(`${JSON.stringify({ files: rows, written: agreed === true })}\n`);
  } else if (fresh.length === 0) process.stdout.write(`${word('init.all-there')}\n`);
  else if (agreed) process.stdout.write(`${word('init.next', { command: colours.cyan('galley review') })}\n`);
}

async function rootOf(folder: string): Promise<string> {
  const repository = await openRepository(resolve(folder));
  const { topLevel } = repository;
  await repository.close();
  if (topLevel !== undefined) return topLevel;
  throw new GalleyError(
    'NOT_A_REPOSITORY',
    'A bare repository has no files of its own; go to a clone of it.',
  );
}

function wantedFiles(root: string): Wanted[] {
  const present = configNames.find((name) => existsSync(join(root, name)));
  const schema = `${JSON.stringify(reviewConfigSchema(), null, 2)}\n`;
  const config = {
    path: present ?? 'galley.config.yaml',
    isNew: present === undefined,
    content: configText(),
    about: word('init.config'),
    shown: 100,
  };
  return [
    config,
    {
      path: schemaPath,
      isNew: !existsSync(join(root, schemaPath)),
      content: schema,
      about: word('init.schema'),
      shown: 4,
    },
  ];
}

function show(files: readonly Wanted[], writes: boolean): void {
  for (const { path, isNew, content, about, shown } of files) {
    const verb = isNew ? word(writes ? 'init.writes' : 'init.would-write') : word('init.keeps');
    const painted = isNew ? colours.green(padded(verb, 11)) : colours.dim(padded(verb, 11));
    process.stdout.write(`${painted}  ${colours.bold(path)}\n  ${colours.dim(about)}\n`);
    if (!isNew) continue;
    const lines = content.trimEnd().split('\n');
    for (const line of lines.slice(0, shown)) process.stdout.write(colours.dim(`  │ ${line}\n`));
    const more = lines.length - shown;
    if (more > 0) process.stdout.write(colours.dim(`  │ … ${word('count.more-lines', { n: more })}\n`));
  }
}

/** Only a person at a terminal can be asked; elsewhere nothing is written, and the exit code says so. */
async function agrees({ json }: InitOptions): Promise<boolean> {
  if (json || !canAsk()) {
    process.stderr.write(`galley: ${word('init.no-terminal')}\n`);
    process.exitCode = 2;
    return false;
  }
  const agreed = await askYes(word('init.ask'));
  if (!agreed) process.stderr.write(`${word('init.nothing')}\n`);
  return agreed;
}

async function write(root: string, { path, content }: Wanted): Promise<void> {
  try {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content, { flag: 'wx' });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw new GalleyError('FILE_UNREADABLE', `${path} cannot be written; check the rights of its folder.`, {
      details: { file: path },
      cause,
    });
  }
}

export const configNames = ['galley.config.yaml', 'galley.config.yml', 'galley.config.json'] as const;

export const schemaPath = '.galley/config.schema.json';

/** Settings with a sensible value, all as comments, so that it changes nothing. */
export function configText(): string {
  return `# yaml-language-server: $schema=${schemaPath}
# How changes of this repository are reviewed. A pull request is reviewed
# with the settings of its base branch. Remove the # of a line to change it;
# galley doctor checks the file.

# Paths no review looks at, in the words of .gitignore; ! brings files back.
# ignore:
#   - "docs/archive/"
#   - "*.snap"

# Tokens of diff on one page, and of a whole page as it is sent.
# maxChunkTokens: 32000
# maxPromptTokens: 48000

# At most so many pages; what matters most stays.
# maxPages: 8

# How tokens are counted: o200k_base, cl100k_base, chars/4, bytes …
# meter: o200k_base

# Instructions for the reviewer: a SKILL.md of this repository.
# skill: review/SKILL.md

# Linter findings on changed lines only, or on changed-files.
# linterScope: changed-lines

# Tell the model what it does not see, and what changed inside lockfiles.
# coverageInPrompt: true
# lockfileSummary: true
`;
}
