// What does the book say that a chapter must not contradict? The people of the chapter with what holds there, what must not be told
// yet, and the story up to it, each a statement of its own that a finding can name.
import { LRUCache } from 'lru-cache';
import { amountOf, type Meter } from '../../core/model/meter.js';
import type { Entity } from '../../store/tables/entities.js';
import { textLanguage } from '../documents/text-language.js';
import { createEntityMatcher, type EntityMatcher } from '../entities/entity-matcher.js';
import type { Statement } from '../judge/judge-prompt.js';
import { type StoryChapter, storySoFar } from '../story/story-so-far.js';
import type { ToldChapter } from '../story/telling-sentences.js';

export interface KnownBook {
  /** In reading order. */
  readonly chapters: readonly StoryChapter[];
  /** Dated, as their descriptions mean them. */
  readonly entities: readonly Entity[];
  readonly meter: Meter;
}

/** With the id that findings give, which several statements may share. */
export interface KnownStatement extends Statement {
  readonly ruleId: string;
}

/** Tokens for people and for the story. */
const peopleTokens = 6_000;
const storyTokens = 1_200;
const mostDescribed = 1_000;

/** Says for each chapter what is known there. */
export function knownIn({
  chapters,
  entities,
  meter,
}: KnownBook): (at: StoryChapter, chapter: number | undefined) => readonly KnownStatement[] {
  const present = presentIn(entities);
  const memory = new LRUCache<string, ToldChapter>({ max: Math.max(1, chapters.length) });
  const names = entities.map(({ name }) => name);
  return (at, chapter) => {
    const people = present(at.text);
    const { parts } = storySoFar({
      ...{ chapters, at: at.id, meter, names, memory, limit: storyTokens },
      people: people.map(({ name }) => name),
      written: Number.POSITIVE_INFINITY,
    });
    const told = parts.map(({ chapterId, title, levels }) => ({
      ruleId: `story:${chapterId}`,
      text: `${title}: ${levels[0] ?? ''}`,
    }));
    const language = textLanguage([at.text]) ?? 'zh';
    const said = people.flatMap((person) => statementsOf(person, chapter, language));
    return [...within(said, meter), ...told].map((statement, index) => ({
      ...statement,
      id: `known:${index}`,
    }));
  };
}

function presentIn(entities: readonly Entity[]): (text: string) => readonly Entity[] {
  let matcher: EntityMatcher | undefined;
  return (text) => {
    matcher ??= createEntityMatcher(entities);
    const found = new Set(matcher.find(text).map(({ entityId }) => entityId));
    return entities.filter(({ id, inclusion }) => found.has(id) && inclusion !== 'never');
  };
}

type Said = Omit<KnownStatement, 'id'>;

function statementsOf(
  { id, name, aliases, description, facts, secrets, relations }: Entity,
  chapter: number | undefined,
  language: 'zh' | 'en',
): Said[] {
  const ruleId = `entity:${id}`;
  const whole = [name, ...aliases].join(language === 'zh' ? '、' : ', ');
  const about = [...description.replace(/\s+/gu, ' ').trim()].slice(0, mostDescribed).join('');
  const holds = facts.filter(({ from, until }) =>
    chapter === undefined
      ? from === undefined && until === undefined
      : (from ?? chapter) <= chapter && chapter <= (until ?? chapter),
  );
  const hidden = secrets.filter(({ hiddenUntil }) => chapter !== undefined && chapter < hiddenUntil);
  const told = secrets.filter(({ hiddenUntil }) => chapter !== undefined && chapter >= hiddenUntil);
  return [
    ...(about === '' ? [] : [`${whole}: ${about}`]),
    ...[...holds, ...told].map(({ text }) => `${name}: ${text}`),
    ...hidden.map(({ text, hiddenUntil }) =>
      language === 'zh'
        ? `${name}（第${hiddenUntil}章之前不能透露）：${text}`
        : `${name} (must not be told before chapter ${hiddenUntil}): ${text}`,
    ),
    ...relations.map(({ to, label }) => `${name} – ${to}: ${label}`),
  ].map((text) => ({ ruleId, text }));
}

function within(statements: readonly Said[], meter: Meter): readonly Said[] {
  let used = 0;
  return statements.filter(({ text }) => {
    used += amountOf(meter, meter.weigh(text)).n;
    return used <= peopleTokens;
  });
}
