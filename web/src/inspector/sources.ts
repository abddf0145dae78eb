// Where a prompt comes from and how it is set anew: for each desk the request, what can be turned, and what "use this" does.
import type { AnswerOf } from '../../../src/operations/table.js';
import { call } from '../shell/call.js';
import { project } from '../shell/start.js';
import { type Sheet, sheetOf } from './sheet.js';
import { say } from './words.js';

/** What is turned; absent means as it is. */
export interface Knobs {
  readonly budget?: number;
  readonly meter?: string;
}

export interface PromptSource {
  /** Names what is looked at; another name, another prompt. */
  readonly key: string;
  /** The most the slider offers. */
  readonly most: number;
  readonly meters: readonly string[];
  load(knobs: Knobs, signal: AbortSignal): Promise<Sheet>;
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
    load: async ({ budget }, signal) => {
      const answer = await call(
        'context:inspect',
        {
          ...{ projectId, ...place, format: 'chapters' },
          ...(budget === undefined ? {} : { budget: { tokens: budget } }),
        },
        { signal },
      );
      const texts = [{ prompt: answer.prompt, system: answer.system }];
      return sheetOf(answer.receipt, texts, wordsOfItems(answer));
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

/** The change as the address names it. */
export type ChangeRequest = Readonly<Record<string, string>>;

export function changeSource(change: ChangeRequest): PromptSource {
  return {
    key: `review ${JSON.stringify(change)}`,
    most: 200_000,
    meters: ['o200k_base', 'cl100k_base', 'chars/4'],
    load: async ({ budget, meter }, signal) => {
      const { receipt, chunks } = await call(
        'review:chunks',
        {
          ...{ ...change, context: 'plan' },
          ...(budget === undefined ? {} : { maxPromptTokens: budget }),
          ...(meter === undefined ? {} : { meter }),
        },
        { signal },
      );
      return sheetOf(
        receipt,
        chunks.map(({ text }) => ({ prompt: text })),
      );
    },
    use: async ({ budget, meter }) => {
      const range = change.mode === 'staged' ? ' --staged' : '';
      const flags = [
        budget === undefined ? '' : ` --max-prompt-tokens ${budget}`,
        meter === undefined ? '' : ` --meter ${meter}`,
      ];
      await navigator.clipboard.writeText(`galley review${range}${flags.join('')}`);
      return say('what.copied');
    },
  };
}
