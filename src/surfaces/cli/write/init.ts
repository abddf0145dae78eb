// galley write init and galley write index: makes the files of a project, a list for constraints, whose folder it is and the store,
// writes what only the store knew to files, and brings the store abreast of the folder.

import { existsSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { GalleyError } from '../../../core/model/error.js';
import { isDatabaseAddress } from '../../../store/check-store-path.js';
import { projectFolder } from '../../../writing/folder/project-folder.js';
import { constraintsPath, makeConstraintList } from '../../../writing/owned/begin-project.js';
import { type Carried, toCarryOver } from '../../../writing/owned/carry-over.js';
import { isThere, storePath } from '../../shared-store.js';
import { colours } from '../terminal/colours.js';
import { padded } from '../terminal/table.js';
import { print, printJson, sayWarnings } from '../terminal/talk.js';
import { word } from '../words/word.js';
import { carriedWords } from './carried-words.js';
import { type WriteOptions, withWriteProject } from './write-project.js';

/** What is printed as JSON. */
export interface MadeProject {
  readonly project?: string;
  readonly files: readonly {
    readonly kind: 'constraints' | 'project' | 'ignore' | 'store';
    /** Absent outside of the folder. */
    readonly path?: string;
    readonly isNew: boolean;
  }[];
  readonly written: boolean;
  /** What only the store knew, and the files it goes to. */
  readonly carried: readonly Carried[];
  readonly chapters?: number;
}

const printProject = (made: MadeProject) => printJson(made);

export async function initProject(options: WriteOptions & { dryRun?: boolean }): Promise<void> {
  const store = storePath('', options.store);
  const shown = isAbsolute(store) ? relative(process.cwd(), store) || store : store;
  // An address may hold a password.
  const isNamed = isDatabaseAddress(store) || shown.startsWith('..');
  const files = [
    { kind: 'constraints', path: constraintsPath, isNew: !existsSync(constraintsPath) },
    { kind: 'project', path: '.galley/project.json', isNew: !existsSync('.galley/project.json') },
    { kind: 'ignore', path: '.galley/.gitignore', isNew: !existsSync('.galley/.gitignore') },
    { kind: 'store', ...(isNamed ? {} : { path: shown }), isNew: !isThere(store) },
  ] as const;
  if (!options.json) {
    for (const { kind, path = word('write.named-store'), isNew } of files) {
      const about = word(`write.about-${kind}`);
      const verb = isNew
        ? options.dryRun
          ? colours.yellow(verbOf('write.would-write'))
          : colours.green(verbOf('write.writes'))
        : colours.dim(verbOf('write.keeps'));
      print(`  ${verb}  ${path}  ${colours.dim(about)}\n`);
    }
  }
  const carried = await toCarry(options);
  if (!options.json && carried.length > 0) {
    const verb = options.dryRun
      ? colours.yellow(verbOf('write.would-write'))
      : colours.green(verbOf('write.writes'));
    print(`  ${verb}  ${carriedWords(carried)}\n`);
  }
  if (options.dryRun) {
    if (options.json) printProject({ files, carried, written: false });
    return;
  }
  if (files[0].isNew) await makeConstraintList(process.cwd());
  await withWriteProject(options, 'writes', async (project) => {
    await project.follow();
    await project.carryOver('quietly');
    const followed = await project.follow();
    const chapters = followed?.chapters ?? 0;
    if (project.json) return printProject({ project: project.id, files, carried, written: true, chapters });
    sayWarnings(followed?.warnings ?? []);
    const command = colours.cyan('galley write status');
    print(`\n${word('write.made', { project: colours.bold(project.id), chapters, command })}\n`);
  });
}

/** Shown before anything is written. */
async function toCarry(options: WriteOptions): Promise<readonly Carried[]> {
  let carried: readonly Carried[] = [];
  await withWriteProject(options, 'reads', async (project) => {
    if (!project.isKept) return;
    const store = await project.store();
    const folder = await projectFolder(store, project.id, project.folder);
    if (folder !== undefined) carried = await toCarryOver(store, project.id, folder);
  });
  return carried;
}

function verbOf(key: 'write.would-write' | 'write.writes' | 'write.keeps'): string {
  return padded(word(key), 11);
}

const maxIndexed = 20;

/** Brings the store abreast of the folder and says what changed. */
export async function indexProject(options: WriteOptions): Promise<void> {
  await withWriteProject(options, 'writes', async (project) => {
    const followed = await project.follow();
    if (followed === undefined) {
      throw new GalleyError(
        'FORBIDDEN',
        'This folder belongs to another project of the store; name that project with --project.',
      );
    }
    if (project.json) return printJson(followed);
    const { chapters, changed, forgotten, constraints, entities, warnings } = followed;
    for (const path of changed.slice(0, maxIndexed))
      print(`  ${colours.green(padded(word('write.read'), 6))}  ${path}\n`);
    if (changed.length > maxIndexed)
      print(`  ${colours.dim(word('count.more', { n: changed.length - maxIndexed }))}\n`);
    for (const path of forgotten) print(`  ${colours.yellow(padded(word('write.forgot'), 6))}  ${path}\n`);
    sayWarnings(warnings);
    const what =
      changed.length + forgotten.length === 0
        ? word('write.index-same')
        : word('write.index-changed', { read: changed.length, forgotten: forgotten.length });
    print(`${word('write.indexed', { chapters, constraints, entities, what })}\n`);
  });
}
