// What happened before this chapter: told from its chapters, near ones in more words, and where little of this one is written yet,
// how the one before ended, so that a new chapter does not begin from nothing.
import { LRUCache } from 'lru-cache';
import type { Fragment } from '../../core/model/fragment.js';
import type { Store } from '../../store/store.js';
import type { DocumentEntry } from '../../store/tables/documents.js';
import { frontLength } from '../documents/front-matter.js';
import { type LayerBody, layerFragment } from '../layers/layer-fragment.js';
import type { ReadLayer } from '../layers/layer-source.js';
import { layeredWords } from '../layers/layered-words.js';
import { type Scene, storedText } from '../layers/scene.js';
import { outages } from '../layers/warnings.js';
import { noteOf } from '../notes/book-notes.js';
import { type StoryChapter, storySoFar } from '../story/story-so-far.js';
import { chapterName } from '../story/story-time.js';
import type { ToldChapter } from '../story/telling-sentences.js';
import { partsOf, toldTogether } from '../summaries/book-parts.js';
import { type ChapterSummary, readSummary, stateOf } from '../summaries/summary.js';

/** Tokens for the story at its fullest. */
const storyTokens = 600;
/** Somebody paid for these words, or wrote them. */
const summedTokens = 1_500;
const shortChapter = 400;
/** Above every passage: without it nobody knows what has happened. */
const storyRank = 2;
/** Below every piece of the chapter at hand. */
const endingRank = -500_000_000;
const memory = new LRUCache<string, ToldChapter>({ max: 2_000 });

export const readStory: ReadLayer = async ({ store, scene, meter, note }) => {
  const { project, documentId, window, tellsSecret } = scene;
  const before = chaptersBefore(scene);
  if (before.length === 0) return [];
  const summaries = await summariesOf(store, project).catch(() => {
    note(outages.settings);
    return new Map<string, ChapterSummary>();
  });
  const chapters: StoryChapter[] = [];
  const texts = await Promise.all(before.map((entry) => storedText(store, project, entry)));
  for (const [index, entry] of before.entries()) {
    const text = texts[index]?.text ?? '';
    const { id, title, contentHash: hash } = entry;
    const own = summaries.get(id);
    const summary = own !== undefined && stateOf(own, hash) === 'fresh' ? own.text : undefined;
    chapters.push({ id, title, hash, text, summary });
  }
  const tellable = withParts(chapters, summaries);
  const isSummed = tellable.some(({ summary }) => summary !== undefined);
  const entities = await store.entities.list(project).catch(() => {
    note(outages.entities);
    return [];
  });
  const names = entities.map(({ name }) => name).filter((name) => typeof name === 'string' && name !== '');
  const { parts, ending } = storySoFar({
    ...{ chapters: tellable, at: documentId, meter, names, tellsSecret, memory },
    limit: isSummed ? summedTokens : storyTokens,
    written: window.start - frontLength(scene.indexed.text),
    gap: layeredWords.zh.gap,
  });
  // In one form, above every passage: what stands before the passages must not change with the room they have.
  const lengths = new Map(tellable.map(({ id, text }) => [id, text.length]));
  // A chapter that is hardly longer than what would be told of it is found whole.
  const worthTelling = parts.filter(
    ({ chapterId }) => chapterId.endsWith('/') || (lengths.get(chapterId) ?? 0) >= shortChapter,
  );
  const told = worthTelling.map(
    ({ chapterId, title, levels, rank }, position): Fragment<LayerBody> =>
      layerFragment(project, {
        id: `story:${chapterId}`,
        source: 'story',
        layer: 'retrieved',
        section: 'story',
        rank: storyRank + rank,
        position,
        body: { kind: 'titled', title, text: levels[0] ?? '' },
      }),
  );
  if (ending === undefined) return told;
  const last = layerFragment(project, {
    id: `previous:${ending.chapterId}`,
    source: 'document',
    layer: 'immediate',
    section: 'previous',
    rank: endingRank,
    position: 0,
    body: { kind: 'titled', title: before.at(-1)?.title ?? '', text: ending.text },
  });
  return [...told, last];
};

/** A part that lies farther back than this is told as one. */
const nearChapters = 10;

/** Parts that have a summary of their own stand in for their chapters, where all of these lie far back. */
function withParts(
  chapters: readonly StoryChapter[],
  summaries: ReadonlyMap<string, ChapterSummary>,
): readonly StoryChapter[] {
  const far = chapters.slice(0, -nearChapters);
  const whole = partsOf(chapters).flatMap(({ about, title, chapters: own }) => {
    const summary = summaries.get(about);
    if (summary === undefined || own.some((chapter) => !far.includes(chapter))) return [];
    const told = own.flatMap((chapter) =>
      chapter.summary === undefined ? [] : [{ title: chapter.title, summary: chapter.summary }],
    );
    const { text, hash } = toldTogether(told);
    const isHeld = told.length === own.length && stateOf(summary, hash) === 'fresh';
    return isHeld ? [{ part: { id: about, title, hash, text, summary: summary.text }, own }] : [];
  });
  return chapters.flatMap((chapter) => {
    const home = whole.find(({ own }) => own.includes(chapter));
    if (home === undefined) return [chapter];
    return chapter === home.own[0] ? [home.part] : [];
  });
}

async function summariesOf(store: Store, project: string): Promise<ReadonlyMap<string, ChapterSummary>> {
  const rows = await store.settings.list(project);
  const found = rows.flatMap(({ key, text }) => {
    const note = noteOf(key, text);
    const summary = note?.kind === 'summary' ? readSummary(note) : undefined;
    return summary === undefined || summary.text === '' ? [] : [[summary.about, summary] as const];
  });
  return new Map(found);
}

/** A chapter that is not stored yet follows those with smaller numbers; a text without a place has no past. */
function chaptersBefore({ entries = [], documentId, chapter }: Scene): readonly DocumentEntry[] {
  const at = entries.findIndex(({ id }) => id === documentId);
  if (at >= 0) return entries.slice(0, at);
  return entries.filter(
    (entry) =>
      (chapterName(entry).number ?? Number.POSITIVE_INFINITY) < (chapter ?? Number.NEGATIVE_INFINITY),
  );
}
