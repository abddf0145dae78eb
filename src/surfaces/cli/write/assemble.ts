// The context of a chapter as a model would get it: galley write assemble prints it, galley write inspect shows it layer by
// layer and item by item. Talk goes to stderr.

import type { InspectedLayer } from '../../../writing/context/inspect-context.js';
import { colours } from '../terminal/colours.js';
import { explainReceipt, layerWords } from '../terminal/explain-receipt.js';
import { grouped, terminalWidth, textTable } from '../terminal/table.js';
import { print, printJson, say, sayWarnings } from '../terminal/talk.js';
import { counted, factWords, word } from '../words/word.js';
import { cursorOf, findChapter, type LanguageOptions, languageField } from './chapter.js';
import { type WriteOptions, type WriteProject, withWriteProject } from './write-project.js';

export interface ChapterContextOptions extends WriteOptions, LanguageOptions {
  readonly cursor?: string;
  readonly skill: string;
  readonly ask?: string;
  readonly model?: string;
  readonly explain?: boolean;
}

export async function contextOf(
  project: WriteProject,
  chapter: string,
  options: ChapterContextOptions,
): Promise<object> {
  const followed = await project.follow();
  sayWarnings(followed?.warnings ?? []);
  const { documentId } = await findChapter(project, chapter);
  return {
    documentId,
    cursorPosition: cursorOf(options.cursor),
    skillId: options.skill,
    // What a run of the skill would send.
    ...(options.skill === '' ? {} : { format: 'chapters' }),
    ...(await languageField(project, documentId, options)),
    ...(options.ask === undefined ? {} : { additionalInput: options.ask }),
    ...(options.model === undefined ? {} : { model: options.model }),
  };
}

/** "1,234 of 8,000 tokens", for every command that fits a budget. */
export function budgetWords(result: { tokenCount: number; budget: { total: number } }): string {
  const used = colours.bold(grouped(result.tokenCount));
  return word('write.of-tokens', { used, total: grouped(result.budget.total) });
}

export async function assembleChapter(chapter: string, options: ChapterContextOptions): Promise<void> {
  await withWriteProject(options, 'reads', async (project) => {
    const request = await contextOf(project, chapter, options);
    const result = await project.call('context:assemble', request);
    if (project.json) return printJson(result);
    const { system, prompt } = result;
    if (system === '') print(`${prompt}\n`);
    else
      print(
        `${colours.dim(word('write.system'))}\n${system}\n${colours.dim(word('write.user'))}\n${prompt}\n`,
      );
    const { rules, settings, retrieved, immediate } = result.layers;
    const parts = { rules, settings, retrieved, immediate };
    const words = Object.entries(parts).map(([name, { tokens }]) => `${layerWords(name)} ${grouped(tokens)}`);
    if (!options.explain) say(`\n${budgetWords(result)} · ${words.join(' · ')}\n`);
    else say(`\n${explainReceipt(result.receipt)}`);
    const prefix = result.stablePrefixUnchanged ? colours.green(word('write.unchanged')) : word('write.new');
    say(`${colours.dim(word('write.prefix'))} ${result.stablePrefixHash.slice(0, 12)} ${prefix}\n`);
    if (!options.explain) sayWarnings(result.warnings);
  });
}

const layerNames = ['rules', 'settings', 'retrieved', 'immediate'] as const;

const present: ReadonlySet<string> = new Set(['kept', 'stepped-down', 'cut', 'refilled']);
/** Of what is left out of a layer. */
const maxLeft = 5;

/** On one's own machine debug mode needs no setting: the command sets it for itself and says so. */
export async function inspectChapter(
  chapter: string,
  options: ChapterContextOptions & { text?: boolean },
): Promise<void> {
  await withWriteProject(options, 'reads', async (project) => {
    const request = await contextOf(project, chapter, options);
    say(colours.dim(`${word('write.debug')}\n`));
    const result = await project.call('context:inspect', request, { debug: true });
    if (project.json) return printJson(result);
    print(`\n${budgetWords(result)}\n`);
    for (const name of layerNames) {
      const layer = result.layers[name];
      const note = layer.truncated ? colours.yellow(word('write.shortened')) : '';
      const items = counted(layer.items.length, 'item');
      const about = word('write.layer', { tokens: grouped(layer.tokens), items });
      print(`\n${colours.bold(layerWords(name))}  ${about}${note}\n`);
      if (options.text) print(layer.text === '' ? '' : `${layer.text}\n`);
      else if (layer.items.length > 0) print(itemTable(layer));
    }
    print('\n');
    sayWarnings(result.warnings);
  });
}

/** Everything that is in, and of what is left out as much as shows what kind it is. */
function itemTable({ items }: InspectedLayer): string {
  const left = items.filter(({ verdict }) => !present.has(verdict));
  const unlisted = new Set(left.slice(maxLeft));
  const table = textTable(
    [
      { title: word('write.col.tokens'), align: 'right' },
      { title: word('write.col.verdict') },
      { title: word('write.col.source') },
      { title: word('write.col.text'), shrink: true },
    ],
    items
      .filter((item) => !unlisted.has(item))
      .map(({ tokenCount, verdict, source, text }) => [
        grouped(tokenCount),
        factWords(`verdict.${verdict}`, verdict),
        factWords(`source.${source}`, source),
        text,
      ]),
    { width: terminalWidth(), indent: '  ' },
  );
  if (unlisted.size === 0) return table;
  return `${table}${colours.dim(`  ${word('write.more-left', { n: unlisted.size })}`)}\n`;
}
