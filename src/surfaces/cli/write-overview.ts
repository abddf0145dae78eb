// galley write alone: what is in this folder, what a model would know of it, and the next command.
import { grouped } from './grouped-number.js';
import { installedAgents } from './installed-agents.js';
import { clipped, commandList, terminalWidth } from './table.js';
import { counted, word } from './words/word.js';
import { wrapped } from './wrap.js';
import { numberOf } from './write-chapter.js';
import { atDesk, print, printJson, sayWarnings, type WriteOptions } from './write-desk.js';
import { type ChapterLine, type ProjectStatus, statusOf } from './write-status.js';

const widestTitle = 24;

export async function writeOverview(options: Pick<WriteOptions, 'json'>): Promise<void> {
  await atDesk(options, 'reads', async (desk) => {
    const status = await statusOf(desk);
    if (desk.json) return printJson(status);
    const { here } = await installedAgents();
    const lines = [foundWords(status), ...(status.chapters.length === 0 ? [] : [knownWords(status)])];
    print(`${lines.map((line) => wrapped(line, terminalWidth())).join('\n')}\n\n${word('here.next')}\n`);
    print(commandList(nextSteps(status, { isKept: desk.isKept, agent: here[0] }), terminalWidth()));
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
  return clipped(title.replaceAll(/\p{C}/gu, '?'), widestTitle);
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
  if (last === undefined) return [help];
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
  const number = numberOf(chapter);
  if (chapters.filter((each) => numberOf(each) === number).length === 1) return String(number);
  return /^[\p{L}\p{N}._/-]+$/u.test(chapter.path)
    ? chapter.path
    : `'${chapter.path.replaceAll("'", "'\\''")}'`;
}
