// Where a prompt comes from and how it is set anew: what can be turned, and what "use this" does; of a chapter here, of a change next door.
import type { AnswerOf } from '../../../src/operations/table.js';
import { call } from '../shell/call.js';
import { project } from '../shell/start.js';
import { grouped } from '../shell/words/word.js';
import type { Early } from './early-picture.js';
import type { Levelled } from './levels.js';
import { type Known, type Piece, type Sheet, sheetOf } from './sheet.js';
import { say } from './words.js';

/** What is turned; absent means as it is. */
export interface Knobs {
  readonly budget?: number;
  readonly meter?: string | undefined;
  /** What stands beside the diff of a review. */
  readonly context?: string | undefined;
  readonly model?: string | undefined;
  /** Ids of pieces. */
  readonly pin?: readonly string[];
  readonly without?: readonly string[];
  /** By what is levelled, the level it is shown at. */
  readonly levels?: Readonly<Record<string, string>>;
}

export interface PromptSource {
  /** Names what is looked at; another name, another prompt. */
  readonly key: string;
  /** The most the slider offers. */
  readonly most: number;
  readonly meters: readonly string[];
  /** Other ways to fill the room beside a diff. */
  readonly contexts: readonly ('plan' | 'none')[];
  readonly takesModel: boolean;
  /** Whether this piece can be pinned or left out. */
  takes(piece: Piece): boolean;
  /** What of this piece can be shown at another level. */
  levelled(piece: Piece): Promise<readonly Levelled[]>;
  load(knobs: Knobs, signal: AbortSignal): Promise<Sheet>;
  /** What is known at once, to look at while the prompt is set. */
  early?(signal: AbortSignal): Promise<Early>;
  /** Makes it so, or says what making it so would change. */
  use(knobs: Knobs): Promise<Proposal | undefined>;
}

/** What was done or would be done, and what one can do next. */
export interface Proposal {
  readonly told: string;
  /** Lines of a file that go and come, with their signs. */
  readonly difference?: readonly string[];
  readonly steps?: readonly { readonly label: string; act(): Promise<Proposal | undefined> }[];
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
    contexts: [],
    takesModel: false,
    takes: () => true,
    levelled: async ({ fragment, level = '', levels = [] }) =>
      levels.length === 0
        ? []
        : [{ name: fragment, label: say('level.passage'), levels: [...levels].reverse(), level }],
    load: async ({ budget, pin = [], without = [], levels = {} }, signal) => {
      const { languageOfChapter } = await import('../studio/prompt-language.js');
      const language = await languageOfChapter(place.documentId);
      const answer = await call(
        'context:inspect',
        {
          ...{ projectId, ...place, format: 'chapters', language, pin, without, levels },
          ...(budget === undefined ? {} : { budget: { tokens: budget } }),
        },
        { signal },
      );
      const texts = [{ prompt: answer.prompt, system: answer.system }];
      return sheetOf(answer.receipt, texts, knownOf(answer));
    },
    use: async ({ budget, pin = [], without = [], levels = {} }) => {
      const { handleIn } = await import('../studio/handled.js');
      const turned = budget === undefined ? {} : { budget: { tokens: budget } };
      handleIn(place.documentId, { pin, without, levels, ...turned });
      const told = say('what.forchapter');
      if (budget === undefined) return { told };
      return { told, steps: [{ label: say('what.forproject'), act: () => asMostOfProject(budget) }] };
    },
  };
}

/** A skill that aims at less still does: what the project has is where every prompt of it ends. */
async function asMostOfProject(budget: number): Promise<Proposal> {
  const { projectId } = project.value;
  const { version, window, outputReserve, layers } = await call('context:budget:get', { projectId });
  const write = (wanted: number, over: number) =>
    call('context:budget:update', {
      ...{ projectId, version: over, window: wanted, outputReserve, layers },
    });
  const written = await write(budget + outputReserve, version);
  const putBack = async (): Promise<Proposal> => {
    await write(window, written.version);
    return { told: say('what.unsaved', { n: grouped(window - outputReserve) }) };
  };
  return {
    told: say('what.saved', { n: grouped(budget) }),
    steps: [{ label: say('what.undo'), act: putBack }],
  };
}

function knownOf({ layers }: AnswerOf<'context:inspect'>): Known {
  const { rules, settings, retrieved, immediate } = layers;
  const items = [rules, settings, retrieved, immediate].flatMap((layer) => layer.items);
  return {
    words: new Map(items.map(({ id, text }) => [id, text])),
    levels: new Map(items.flatMap(({ id, levels }) => (levels === undefined ? [] : [[id, levels]]))),
  };
}
