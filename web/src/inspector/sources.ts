// Where a prompt comes from and how it is set anew: for each desk the request, what can be turned, and what "use this" does.
import type { AnswerOf } from '../../../src/operations/table.js';
import type { ReviewedChange } from '../review/desk.js';
import { call } from '../shell/call.js';
import { project } from '../shell/start.js';
import { type Sheet, sheetOf } from './sheet.js';
import { say } from './words.js';

/** What is turned; absent means as it is. */
export interface Knobs {
  readonly budget?: number;
  readonly meter?: string;
  /** Ids of pieces. */
  readonly pin?: readonly string[];
  readonly without?: readonly string[];
}

export interface PromptSource {
  /** Names what is looked at; another name, another prompt. */
  readonly key: string;
  /** The most the slider offers. */
  readonly most: number;
  readonly meters: readonly string[];
  /** Whether single pieces can be pinned or left out. */
  readonly takesPieces: boolean;
  load(knobs: Knobs, signal: AbortSignal): Promise<Sheet>;
  /** The same without what takes long to find, to look at meanwhile. */
  preview?(signal: AbortSignal): Promise<Sheet>;
  /** Makes it so; answers with what was done, in words. */
  use(knobs: Knobs): Promise<string>;
}

export interface ChapterPlace {
  readonly documentId: string;
  readonly cursorPosition: number;
  readonly skillId: string;
}

export function chapterSource(place: ChapterPlace, most: number): PromptSource {
  const { projectId } = project.value;
  return {
    key: `write ${JSON.stringify(place)}`,
    most,
    meters: [],
    takesPieces: true,
    load: async ({ budget, pin = [], without = [] }, signal) => {
      const answer = await call(
        'context:inspect',
        {
          ...{ projectId, ...place, format: 'chapters', pin, without },
          ...(budget === undefined ? {} : { budget: { tokens: budget } }),
        },
        { signal },
      );
      const texts = [{ prompt: answer.prompt, system: answer.system }];
      return sheetOf(answer.receipt, texts, { words: wordsOfItems(answer) });
    },
    use: async ({ budget }) => {
      if (budget === undefined) return '';
      const { version, outputReserve, layers } = await call('context:budget:get', { projectId });
      const window = budget + outputReserve;
      await call('context:budget:update', { projectId, version, window, outputReserve, layers });
      return say('what.saved');
    },
  };
}

function wordsOfItems({ layers }: AnswerOf<'context:inspect'>): ReadonlyMap<string, string> {
  const { rules, settings, retrieved, immediate } = layers;
  const items = [rules, settings, retrieved, immediate].flatMap((layer) => layer.items);
  return new Map(items.map(({ id, text }) => [id, text]));
}

export function changeSource(change: ReviewedChange): PromptSource {
  return {
    key: `review ${JSON.stringify(change)}`,
    most: 200_000,
    meters: ['o200k_base', 'cl100k_base', 'chars/4'],
    takesPieces: false,
    preview: async (signal) => {
      const { receipt, chunks } = await call('review:chunks', change, { signal });
      return sheetOf(
        receipt,
        chunks.map(({ text }) => ({ prompt: text })),
      );
    },
    // As a run would send it, with the text that tells the reviewer what to do.
    load: async ({ budget, meter }, signal) => {
      const { model } = project.value;
      const answer = await call(
        'review:run',
        {
          ...{ ...change, dryRun: true, ...(model ? { model } : {}) },
          ...(budget === undefined ? {} : { maxPromptTokens: budget }),
          ...(meter === undefined ? {} : { meter }),
        },
        { signal },
      );
      if (!answer.dryRun) throw new TypeError('Only a look was asked for.');
      const { receipt, system, pages } = answer;
      const sought = new Map(
        pages.flatMap(({ context = [] }) =>
          context.map(({ side, path, startLine, endLine, why }) => [
            `context:${side}:${path}#L${startLine}-L${endLine}`,
            why,
          ]),
        ),
      );
      const texts = pages.map(({ prompt }) => ({ system, prompt }));
      return sheetOf(receipt, texts, { sought });
    },
    use: async ({ budget, meter }) => {
      const range: Readonly<Record<ReviewedChange['mode'], string>> = {
        working: ' --working',
        staged: ' --staged',
        commit: ` --commit ${change.commit ?? 'HEAD'}`,
        pr: `${change.base ? ` --base ${change.base}` : ''}${change.head ? ` --head ${change.head}` : ''}`,
      };
      const flags = [
        budget === undefined ? '' : ` --budget ${budget}`,
        meter === undefined ? '' : ` --meter ${meter}`,
      ];
      await navigator.clipboard.writeText(`galley review${range[change.mode]}${flags.join('')}`);
      return say('what.copied');
    },
  };
}
