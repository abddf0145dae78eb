// The project at a glance: galley write status with every chapter on a line, galley write alone with the next command.

import { hashText } from '../../../meters/content-hash.js';
import { withoutFront } from '../../../writing/documents/front-matter.js';
import { textLength } from '../../../writing/documents/text-length.js';
import { readChapters } from '../../../writing/folder/chapter-files.js';
import { readMaterial } from '../../../writing/folder/material.js';
import { projectFolder } from '../../../writing/folder/project-folder.js';
import { storeWithMaterial } from '../../../writing/folder/store-with-material.js';
import { toCarryOver } from '../../../writing/owned/carry-over.js';
import { installedAgents } from '../agent/agent-overview.js';
import { colours } from '../terminal/colours.js';
import { clipped, commandList, grouped, pairs, terminalWidth, textTable } from '../terminal/table.js';
import { print, printJson, sayWarnings } from '../terminal/talk.js';
import { wrapped } from '../terminal/text-width.js';
import { counted, word } from '../words/word.js';
import { carriedWords } from './carried-words.js';
import { chapterNumberOf } from './chapter.js';
import { type WriteOptions, type WriteProject, withWriteProject } from './write-project.js';

const widestTitle = 44;

export interface ChapterLine {
  readonly order: number;
  readonly title: string;
  readonly path: string;
  readonly characters: number;
  readonly words: number;
  readonly index: 'current' | 'changed' | 'new';
}

export async function showStatus(options: WriteOptions & { all?: boolean }): Promise<void> {
  await withWriteProject(options, 'reads', async (project) => {
    const status = await statusOf(project);
    if (project.json) return printJson(status);
    print(`\n${colours.bold(project.id)}\n\n`);
    print(pairs(factsOf(status, project.isKept), '  '));
    if (status.chapters.length > 0) print(`\n${chapterTable(status.chapters, options.all === true)}`);
    print('\n');
    sayWarnings(shortened(status.warnings, options.all === true));
    if (status.storedOnly.length > 0) {
      const list = carriedWords(status.storedOnly);
      print(`${word('status.to-carry', { list, command: colours.cyan('galley write init') })}\n`);
    }
    if (!project.isKept)
      print(`${word('status.not-kept', { command: colours.cyan('galley write init') })}\n`);
    else if (status.behind > 0)
      print(`${word('status.stale', { n: status.behind, command: colours.cyan('galley write index') })}\n`);
  });
}

export async function statusOf(project: WriteProject) {
  const stored = await project.store();
  const folder = await projectFolder(stored, project.id, project.folder);
  const material = folder === undefined ? undefined : await readMaterial(folder);
  const store = material === undefined ? stored : storeWithMaterial(stored, project.id, material);
  const files = folder === undefined ? undefined : await readChapters(folder);
  const [documents, constraints, entities, { memory }, budget, { skills }] = await Promise.all([
    stored.documents.list(project.id),
    store.constraints.list(project.id),
    store.entities.list(project.id),
    project.call('memory:list'),
    project.call('context:budget:get'),
    project.call('skills:list'),
  ]);
  const known = new Map(documents.map((entry) => [entry.id, entry]));
  const fromFiles = (files?.chapters ?? []).map(({ path, title, order, text }): ChapterLine => {
    const entry = known.get(path);
    const index = entry === undefined ? 'new' : entry.contentHash === hashText(text) ? 'current' : 'changed';
    return { order, title, path, ...textLength(withoutFront(text)), index };
  });
  const paths = new Set(fromFiles.map(({ path }) => path));
  const others: ChapterLine[] = [];
  for (const { id, title, order } of documents) {
    if (paths.has(id)) continue;
    const document = await stored.documents.get(project.id, id);
    others.push({ order, title, path: id, ...textLength(withoutFront(document.text)), index: 'current' });
  }
  const chapters = [...fromFiles, ...others];
  return {
    project: project.id,
    chapters,
    characters: chapters.reduce((sum, { characters }) => sum + characters, 0),
    words: chapters.reduce((sum, { words }) => sum + words, 0),
    behind: chapters.filter(({ index }) => index !== 'current').length,
    constraints: { total: constraints.length, pinned: constraints.filter(({ pinned }) => pinned).length },
    entities: entities.length,
    memory: { total: memory.length, waiting: memory.filter(({ confirmed }) => !confirmed).length },
    skills: { total: skills.length, own: skills.filter(({ origin }) => origin === 'project').length },
    budget,
    storedOnly: folder === undefined ? [] : await toCarryOver(stored, project.id, folder),
    warnings: [
      ...(files?.unreadable ?? []).map(({ message }) => message),
      ...(material?.warnings ?? []).map(({ message }) => message),
    ],
  };
}

export type ProjectStatus = Awaited<ReturnType<typeof statusOf>>;

function factsOf(status: ProjectStatus, isKept: boolean): [string, string][] {
  const { window, outputReserve } = status.budget;
  return [
    [
      word('status.chapters'),
      word('status.length', {
        chapters: counted(status.chapters.length, 'chapter'),
        words: grouped(status.words),
      }),
    ],
    [
      word('status.constraints'),
      `${status.constraints.total}${note(status.constraints.pinned, word('status.pinned'))}`,
    ],
    [word('status.entities'), String(status.entities)],
    [word('status.memory'), `${status.memory.total}${note(status.memory.waiting, word('status.waiting'))}`],
    [word('status.skills'), `${status.skills.total}${note(status.skills.own, word('status.own'))}`],
    [word('status.index'), isKept ? indexWords(status.behind) : word('status.none-yet')],
    [
      word('status.budget'),
      word('status.window', { window: grouped(window), answer: grouped(outputReserve) }),
    ],
  ];
}

function indexWords(behind: number): string {
  return behind === 0
    ? colours.green(word('status.current'))
    : colours.yellow(word('status.behind', { n: behind }));
}

function note(count: number, words: string): string {
  return count === 0 ? '' : ` · ${count} ${words}`;
}

const shownFirst = 2;
const shownLast = 6;
const mostWarnings = 5;

/** The first and the last chapters, where people work; every one when asked. */
function chapterTable(chapters: readonly ChapterLine[], all: boolean): string {
  const isLong = !all && chapters.length > shownFirst + shownLast + 1;
  const left = chapters.length - shownFirst - shownLast;
  const more = word('status.more', { n: left, command: 'galley write status --all' });
  const rows = chapters.map(({ order, title, words, index, path }) => [
    String(chapterNumberOf({ title, order })),
    clipped(title, widestTitle),
    grouped(words),
    word(`chapter.${index}`),
    path,
  ]);
  return textTable(
    [
      { title: '#', align: 'right' },
      { title: word('write.col.chapter') },
      { title: word('write.col.words'), align: 'right' },
      { title: word('write.col.index') },
      { title: word('write.col.document'), shrink: true },
    ],
    isLong ? [...rows.slice(0, shownFirst), ['', more], ...rows.slice(-shownLast)] : rows,
    { width: terminalWidth(), indent: '  ' },
  );
}

function shortened(warnings: readonly string[], all: boolean): readonly string[] {
  if (all || warnings.length <= mostWarnings) return warnings;
  const left = warnings.length - mostWarnings;
  return [
    ...warnings.slice(0, mostWarnings),
    word('status.more-warnings', { n: left, command: 'galley write status --all' }),
  ];
}

const shortTitle = 24;

/** galley write alone: what is in this folder, what a model would know of it, and the next command. */
export async function showOverview(options: Pick<WriteOptions, 'json'>): Promise<void> {
  await withWriteProject(options, 'reads', async (project) => {
    const status = await statusOf(project);
    if (project.json) return printJson(status);
    const { here } = await installedAgents();
    const lines = [foundWords(status), ...(status.chapters.length === 0 ? [] : [knownWords(status)])];
    print(`${lines.map((line) => wrapped(line, terminalWidth())).join('\n')}\n\n${word('here.next')}\n`);
    print(commandList(nextSteps(status, { isKept: project.isKept, agent: here[0] }), terminalWidth()));
    sayWarnings(status.warnings);
  });
}

function foundWords({ chapters, words }: ProjectStatus): string {
  const [first, last] = [chapters[0], chapters.at(-1)];
  if (first === undefined || last === undefined) return word('write.here.none');
  const facts = { words: grouped(words), first: titleOf(first) };
  if (chapters.length === 1) return word('write.here.one', facts);
  const count = counted(chapters.length, 'chapter');
  return word('write.here.found', { ...facts, chapters: count, last: titleOf(last) });
}

function titleOf({ title }: ChapterLine): string {
  return clipped(title.replaceAll(/\p{C}/gu, '?'), shortTitle);
}

function knownWords({ constraints, entities, memory }: ProjectStatus): string {
  if (constraints.total + entities + memory.total === 0) return word('write.here.bare');
  return word('write.here.knows', {
    rules: counted(constraints.total, 'rule'),
    people: counted(entities, 'card'),
    memories: counted(memory.total, 'memory'),
  });
}

function nextSteps(
  { chapters, behind, constraints }: ProjectStatus,
  { isKept, agent }: { isKept: boolean; agent: string | undefined },
): [string, string][] {
  const help: [string, string] = ['galley write --help', word('here.help')];
  const last = chapters.at(-1);
  if (last === undefined) return [['galley write import <file>', word('write.here.import')], help];
  const name = nameOf(last, chapters);
  const model = agent === undefined ? word('here.name') : `cli/${agent}`;
  const steps: [string, string][] = [[`galley write inspect ${name}`, word('write.here.see')]];
  if (!isKept) steps.push(['galley write init', word('write.here.keep')]);
  else if (behind > 0) steps.push(['galley write index', word('write.here.index', { n: behind })]);
  if (isKept && constraints.total === 0)
    steps.push(['galley write constraints add "…"', word('write.here.rule')]);
  steps.push([`galley write run continue ${name} --model ${model}`, word('write.here.run')], help);
  return steps;
}

/** A number where it means one chapter, the path otherwise, as a shell takes it. */
function nameOf(chapter: ChapterLine, chapters: readonly ChapterLine[]): string {
  const number = chapterNumberOf(chapter);
  if (chapters.filter((each) => chapterNumberOf(each) === number).length === 1) return String(number);
  return /^[\p{L}\p{N}._/-]+$/u.test(chapter.path)
    ? chapter.path
    : `'${chapter.path.replaceAll("'", "'\\''")}'`;
}
