// galley write assemble: the context of a chapter as a model would get it. The prompt goes to stdout, talk to stderr.

import type { ContextAssembleResult } from '../../writing/context/context-result.js';
import { colours } from './colours.js';
import { explainReceipt } from './explain-receipt.js';
import { grouped } from './grouped-number.js';
import { layerWords } from './layer-words.js';
import { word } from './words/word.js';
import { cursorOf, findChapter } from './write-chapter.js';
import {
  atDesk,
  print,
  printJson,
  say,
  sayWarnings,
  type WriteDesk,
  type WriteOptions,
} from './write-desk.js';
import { type LanguageOptions, languageField } from './write-language.js';

export interface AssembleOptions extends WriteOptions, LanguageOptions {
  readonly cursor?: string;
  readonly skill: string;
  readonly ask?: string;
  readonly model?: string;
  readonly explain?: boolean;
}

export async function contextOf(desk: WriteDesk, chapter: string, options: AssembleOptions): Promise<object> {
  const followed = await desk.follow();
  sayWarnings(followed?.warnings ?? []);
  const { documentId } = await findChapter(desk, chapter);
  return {
    documentId,
    cursorPosition: cursorOf(options.cursor),
    skillId: options.skill,
    // What a run of the skill would send.
    ...(options.skill === '' ? {} : { format: 'chapters' }),
    ...(await languageField(desk, documentId, options)),
    ...(options.ask === undefined ? {} : { additionalInput: options.ask }),
    ...(options.model === undefined ? {} : { model: options.model }),
  };
}

/** "1,234 of 8,000 tokens", for every command that fits a budget. */
export function tokensOf(result: { tokenCount: number; budget: { total: number } }): string {
  const used = colours.bold(grouped(result.tokenCount));
  return word('write.of-tokens', { used, total: grouped(result.budget.total) });
}

export async function writeAssemble(chapter: string, options: AssembleOptions): Promise<void> {
  await atDesk(options, 'reads', async (desk) => {
    const request = await contextOf(desk, chapter, options);
    const result = await desk.call<ContextAssembleResult>('context:assemble', request);
    if (desk.json) return printJson(result);
    const { system, prompt } = result;
    if (system === '') print(`${prompt}\n`);
    else
      print(
        `${colours.dim(word('write.system'))}\n${system}\n${colours.dim(word('write.user'))}\n${prompt}\n`,
      );
    const { rules, settings, retrieved, immediate } = result.layers;
    const parts = { rules, settings, retrieved, immediate };
    const words = Object.entries(parts).map(([name, { tokens }]) => `${layerWords(name)} ${grouped(tokens)}`);
    if (!options.explain) say(`\n${tokensOf(result)} · ${words.join(' · ')}\n`);
    else say(`\n${explainReceipt(result.receipt)}`);
    const prefix = result.stablePrefixUnchanged ? colours.green(word('write.unchanged')) : word('write.new');
    say(`${colours.dim(word('write.prefix'))} ${result.stablePrefixHash.slice(0, 12)} ${prefix}\n`);
    if (!options.explain) sayWarnings(result.warnings);
  });
}
