// The texts of a run become drafts, side by side where it wrote several. The chapter they were made from is kept with them.
import type { Skill } from '../../skills/skill.js';
import type { TextRange } from '../documents/indexed-text.js';
import { settle } from './change-chapter.js';
import { encoded } from './chapter-text.js';
import { type Draft, draftName } from './draft.js';
import { draftTarget } from './draft-target.js';
import type { DraftHome } from './home.js';
import { withIndent } from './pieces.js';

export interface WrittenTexts {
  readonly documentId: string;
  readonly skill: Pick<Skill, 'id' | 'recipe'>;
  readonly model: string;
  readonly runId?: string | undefined;
  readonly at: number;
  /** The chapter as the skill read it. */
  readonly chapter: string;
  readonly selection?: TextRange | undefined;
  readonly cursorPosition?: number | undefined;
  readonly texts: readonly string[];
}

export async function makeDrafts(home: DraftHome, written: WrittenTexts): Promise<readonly Draft[]> {
  const { documentId, skill, model, runId, at, chapter, texts } = written;
  return home.exclusively(async () => {
    await settle(home);
    const base = await keepBase(home, documentId, chapter);
    const first = ((await home.drafts()).at(-1)?.number ?? 0) + 1;
    const drafts: Draft[] = [];
    for (const [index, text] of texts.entries()) {
      const number = first + index;
      const draft: Draft = {
        name: draftName(documentId, skill.id, number),
        ...{ number, documentId, skillId: skill.id, model, createdAt: at, base },
        ...draftTarget(chapter, text, { ...written, recipe: skill.recipe }),
        isDiscarded: false,
        ...(texts.length === 1 ? {} : { variantOf: first }),
        ...(runId === undefined ? {} : { runId }),
        text: withIndent(text),
      };
      await home.putDraft(draft);
      drafts.push(draft);
    }
    return drafts;
  });
}

/** The chapter with all its bytes if it is what the skill read; else only the text that it read. */
async function keepBase(home: DraftHome, documentId: string, chapter: string): Promise<string> {
  const bytes = await home.readChapter(documentId).catch(() => undefined);
  const isSame = bytes !== undefined && home.textOf(bytes, documentId).text === chapter;
  return home.keep(isSame ? bytes : encoded(chapter));
}
