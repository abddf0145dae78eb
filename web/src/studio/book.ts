// What the studio knows of the book: chapters with their lengths and summaries, cards, skills; and where one is in it.
import { computed, signal } from '@preact/signals';
import type { AnswerOf } from '../../../src/operations/table.js';
import { call } from '../shell/call.js';
import { go, linkTo, place } from '../shell/router.js';
import { project } from '../shell/start.js';
import type { ManuscriptEditor, Selected } from './manuscript.js';
import type { Saver } from './saving.js';

export type Chapter = AnswerOf<'documents:list'>['documents'][number];
export type Card = AnswerOf<'entities:list'>['entities'][number];
export type Skill = AnswerOf<'skills:list'>['skills'][number];

export const chapters = signal<readonly Chapter[] | undefined>(undefined);
export const summaryStates = signal<Readonly<Record<string, 'fresh' | 'stale' | 'none'>>>({});
export const cards = signal<readonly Card[]>([]);
export const skills = signal<readonly Skill[]>([]);
/** Of the rules of the book, in its own words. */
export const ruleTexts = signal<readonly string[]>([]);
export const trouble = signal<unknown>(undefined);

/** The chapter in the editor, with everything that works on it. */
export interface OpenChapter {
  readonly documentId: string;
  readonly editor: ManuscriptEditor;
  readonly saver: Saver;
}
export const current = signal<OpenChapter | undefined>(undefined);
export const selected = signal<Selected>({ from: 0, to: 0 });
/** Grows when a draft, a restore or an import changed what panels show. */
export const revision = signal(0);

export type PanelName = `${'knows' | 'skill' | 'history' | 'scene' | 'codex' | 'check'}.title`;
export const chosenPanel = signal<PanelName>('knows.title');

/** The id of the card that is being written; empty for a new one. */
export const edited = signal<string | undefined>(undefined);
export function editCard({ id }: Pick<Card, 'id'>): void {
  edited.value = id;
  chosenPanel.value = 'codex.title';
}

/** Names that are underlined and looked for. */
export const nameList = computed(() =>
  cards.value.flatMap(({ name, aliases }) => [name, ...aliases]).filter((name) => name.trim().length > 1),
);

export const documentHere = computed(() => {
  const [, ...steps] = place.value.path.split('/');
  try {
    return steps.map(decodeURIComponent).join('/');
  } catch {
    return '';
  }
});

const pathOf = (documentId: string) => `write/${documentId.split('/').map(encodeURIComponent).join('/')}`;
export const linkToChapter = (documentId: string): string => linkTo(pathOf(documentId));
export const goToChapter = (documentId: string): void => go(pathOf(documentId));
export const goToPlace = (documentId: string, start: number, end = start): void =>
  go(pathOf(documentId), { query: { at: String(start), to: String(end) } });

export const goToLine = (documentId: string, line: number): void =>
  go(pathOf(documentId), { query: { line: String(line) } });

export const asked = () => ({ projectId: project.value.projectId });

export async function loadBook(): Promise<void> {
  try {
    // Counting a long book takes a moment; its chapters are known at once.
    chapters.value ??= (await call('documents:list', asked())).documents;
    const [{ documents }, { summaries }, { entities }, known, { constraints }] = await Promise.all([
      call('documents:list', { ...asked(), lengths: true }),
      call('summaries:list', asked()),
      call('entities:list', asked()),
      call('skills:list', asked()),
      call('constraints:list', asked()),
    ]);
    chapters.value = documents;
    summaryStates.value = Object.fromEntries(summaries.map(({ documentId, state }) => [documentId, state]));
    cards.value = entities;
    skills.value = known.skills;
    ruleTexts.value = constraints.map(({ text }) => text);
    trouble.value = undefined;
  } catch (error) {
    trouble.value = error;
  }
}

export async function loadCards(): Promise<void> {
  cards.value = (await call('entities:list', asked())).entities;
}

/** Everything typed is in the file before anybody else works on it; false where that cannot be. */
export const settled = async (): Promise<boolean> => (await current.value?.saver.flush()) ?? true;

/** After somebody else changed the chapter. */
export async function afterChange(): Promise<void> {
  await current.value?.saver.look();
  revision.value += 1;
  await loadBook();
}

// Operations count code points, the editor code units.
export function toCodePoints(text: string, unit: number): number {
  let count = 0;
  for (let at = 0; at < unit; at += 1) if ((text.charCodeAt(at) & 0xfc00) !== 0xdc00) count += 1;
  return count;
}

export function toCodeUnits(text: string, point: number): number {
  let at = 0;
  for (let count = 0; count < point && at < text.length; count += 1)
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
}
