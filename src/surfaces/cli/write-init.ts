// galley write init: says which two files it makes, and makes them: a list for constraints, and the store.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, relative } from 'node:path';
import { GalleyError } from '../../core/model/error.js';
import { storePath } from '../shared-store.js';
import { colours } from './colours.js';
import { padded } from './table.js';
import { word } from './words/word.js';
import { atDesk, print, printJson, sayWarnings, type WriteOptions } from './write-desk.js';

const listPath = '.galley/constraints.md';

const starter = `# 创作约束 · Constraints

One rule for each line. They stand in every prompt, and \`galley write judge\` checks what can be checked.

## 叙述约束 · Narrative

## 角色约束 · Characters

## 世界观约束 · World

## 风格约束 · Style

## 情节约束 · Plot
`;

/** What is printed as JSON. */
export interface MadeProject {
  readonly project?: string;
  readonly files: readonly {
    readonly kind: 'constraints' | 'store';
    /** Absent outside of the folder. */
    readonly path?: string;
    readonly isNew: boolean;
  }[];
  readonly written: boolean;
  readonly chapters?: number;
}

const printProject = (made: MadeProject) => printJson(made);

export async function writeInit(options: WriteOptions & { dryRun?: boolean }): Promise<void> {
  const store = storePath('', options.store);
  const shown = isAbsolute(store) ? relative(process.cwd(), store) || store : store;
  const files = [
    { kind: 'constraints', path: listPath, isNew: !existsSync(listPath) },
    { kind: 'store', ...(shown.startsWith('..') ? {} : { path: shown }), isNew: !existsSync(store) },
  ] as const;
  if (!options.json) {
    for (const { kind, path = word('write.named-store'), isNew } of files) {
      const about = word(kind === 'store' ? 'write.about-store' : 'write.about-list');
      const verb = isNew
        ? options.dryRun
          ? colours.yellow(verbOf('write.would-write'))
          : colours.green(verbOf('write.writes'))
        : colours.dim(verbOf('write.keeps'));
      print(`  ${verb}  ${path}  ${colours.dim(about)}\n`);
    }
  }
  if (options.dryRun) {
    if (options.json) printProject({ files, written: false });
    return;
  }
  if (files[0].isNew) await makeList();
  await atDesk(options, 'writes', async (desk) => {
    const followed = await desk.follow();
    if (desk.json)
      return printProject({
        project: desk.project,
        files,
        written: true,
        chapters: followed?.chapters ?? 0,
      });
    sayWarnings(followed?.warnings ?? []);
    print(
      `\n${word('write.made', {
        project: colours.bold(desk.project),
        chapters: followed?.chapters ?? 0,
        command: colours.cyan('galley write status'),
      })}\n`,
    );
  });
}

async function makeList(): Promise<void> {
  try {
    await mkdir(dirname(listPath), { recursive: true });
    await writeFile(listPath, starter, { flag: 'wx' });
  } catch (cause) {
    // Made by another process meanwhile.
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST' && existsSync(listPath)) return;
    throw new GalleyError(
      'STORE_UNAVAILABLE',
      `${listPath} cannot be written; check the rights of this folder.`,
      {
        cause,
      },
    );
  }
}

function verbOf(key: 'write.would-write' | 'write.writes' | 'write.keeps'): string {
  return padded(word(key), 11);
}
