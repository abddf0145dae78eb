// galley init: shows the files that settle how a repository is reviewed, and writes them when one agrees. What is there stays.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { GalleyError } from '../../../core/model/error.js';
import { reviewConfigSchema } from '../../../review/change/review-config.js';
import { colours } from '../terminal/colours.js';
import { word } from '../words/word.js';
import type { CiHost, CiOptions } from './ci-files.js';
import {
  isToWrite,
  type ProposalOptions,
  type ProposedFile,
  propose,
  proposedRows,
  repositoryRoot,
  textAt,
} from './proposed-files.js';

export interface InitOptions extends ProposalOptions, Omit<CiOptions, 'host'> {
  readonly repo: string;
  readonly ci?: CiHost;
}

export const initAnswer = z.strictObject({
  files: z.array(
    z.strictObject({
      path: z.string().describe('relative to the root of the repository'),
      isNew: z.boolean().describe('false: it is there already'),
      isChanged: z.boolean().optional().describe('it is there and says something else'),
      content: z.string().optional().describe('of a file that is new or changed'),
    }),
  ),
  secrets: z.array(z.string()).optional().describe('variables to set at the host, with --ci'),
  written: z.boolean(),
});

export async function initCommand(options: InitOptions): Promise<void> {
  const root = await repositoryRoot(options.repo);
  if (options.ci !== undefined) return initCi(root, options.ci, options);
  refuseCiFlags(options);
  const files = await configFiles(root);
  const written = await propose(root, files, options);
  if (options.json) printAnswer({ files: proposedRows(files), written });
  else if (!files.some(isToWrite)) process.stdout.write(`${word('init.all-there')}\n`);
  else if (written)
    process.stdout.write(`${word('init.next', { command: colours.cyan('galley review') })}\n`);
}

async function initCi(root: string, host: CiHost, options: InitOptions): Promise<void> {
  const { ciFiles } = await import('./ci-files.js');
  const { files, secrets, steps } = await ciFiles(root, { ...options, host });
  const written = await propose(root, files, options);
  if (options.json) return printAnswer({ files: proposedRows(files), secrets: [...secrets], written });
  if (!files.some(isToWrite)) process.stdout.write(`${word('init.all-there')}\n`);
  for (const step of steps) process.stdout.write(`${step}\n`);
}

function refuseCiFlags({ model, from, forks }: InitOptions): void {
  if (model === undefined && from === undefined && forks !== false) return;
  throw new GalleyError(
    'INVALID_ARGUMENT',
    '--model, --from and --no-forks are about --ci; name the host with it, for example --ci github.',
    { details: { field: 'ci' } },
  );
}

function printAnswer(answer: z.input<typeof initAnswer>): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

async function configFiles(root: string): Promise<ProposedFile[]> {
  const present = configNames.find((name) => existsSync(join(root, name)));
  return [
    {
      path: present ?? 'galley.config.yaml',
      before: present === undefined ? undefined : await textAt(root, present),
      isSettled: true,
      content: configText(),
      about: word('init.config'),
      shown: 100,
    },
    {
      path: schemaPath,
      before: await textAt(root, schemaPath),
      isSettled: true,
      content: `${JSON.stringify(reviewConfigSchema(), null, 2)}\n`,
      about: word('init.schema'),
      shown: 4,
    },
  ];
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
