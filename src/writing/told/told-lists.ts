// What a writer told or accepted, as lists: constraints, memory, episodes and promises. Each list is a form of file, and how an item of it is
// a row of the store and back.
import { hashText } from '../../meters/content-hash.js';
import type { Constraint, ConstraintKind, ConstraintOrigin } from '../../store/tables/constraints.js';
import type { MemoryItem } from '../../store/tables/memory.js';
import type { Summary } from '../../store/tables/runs.js';
import { type ListEntry, type ListForm, type ListItem, readList } from './list-file.js';

/** A list by name, and what makes its items rows. */
export interface ToldList<Row> {
  readonly file: string;
  readonly form: ListForm;
  /** Of the file it stands in; rows of the same words are one. */
  row(item: ListEntry, path: string): Row;
  entry(row: Omit<Row, 'id'>, id?: string): ListEntry;
}

/** A row, where it stands, and the items that say it. */
export interface ToldRow<Row> {
  readonly row: Row;
  readonly line: number;
  readonly items: readonly ListItem[];
}

export function readTold<Row extends { readonly id: string }>(
  list: ToldList<Row>,
  text: string,
  path: string,
): ToldRow<Row>[] {
  const rows = new Map<string, { row: Row; line: number; items: ListItem[] }>();
  for (const item of readList(text, list.form)) {
    const row = list.row(item, path);
    const known = rows.get(row.id);
    if (known === undefined) rows.set(row.id, { row, line: item.line, items: [item] });
    else known.items.push(item);
  }
  return [...rows.values()];
}

/** Stays the same wherever the item stands; an id that a caller chose is written beside it. */
function idOf(path: string, { notes }: ListEntry, ...said: readonly string[]): string {
  return `${path}#${notes.id ?? hashText(JSON.stringify(said)).slice(0, 12)}`;
}

/** The part of an id that its file does not say. */
export function nameInList(id: string): string {
  return id.slice(id.indexOf('#') + 1);
}

const given = (notes: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(notes).filter((note): note is [string, string] => note[1] !== undefined));

const constraintOrigins: readonly string[] = ['user', 'knowledge', 'memory', 'project'];

export const constraintList: ToldList<Constraint> = {
  file: 'constraints.md',
  form: {
    kinds: [
      [/叙述|narrat/iu, 'narrative', '叙述约束 · Narrative'],
      [/角色|人物|character/iu, 'character', '角色约束 · Characters'],
      [/世界|world/iu, 'world', '世界观约束 · World'],
      [/情节|剧情|plot/iu, 'plot', '情节约束 · Plot'],
      [/风格|文风|style/iu, 'style', '风格约束 · Style'],
    ],
    usual: 'style',
    mark: /^(?:📌|【固定】|\[pinned\])\s*/iu,
    marks: ['【固定】', '[pinned] '],
    notes: ['id', 'priority', 'origin'],
    title: '创作约束 · Constraints',
  },
  row: (item, path) => ({
    id: idOf(path, item, item.kind, item.words),
    kind: item.kind as ConstraintKind,
    // What stands in the writer's own folder is the writer's word.
    origin: (constraintOrigins.includes(item.notes.origin ?? '')
      ? item.notes.origin
      : 'user') as ConstraintOrigin,
    priority: wholeNumber(item.notes.priority),
    pinned: item.marked,
    text: item.words,
    version: 1,
  }),
  entry: ({ kind, origin, priority, pinned, text }, id) => ({
    kind,
    words: text,
    marked: pinned,
    notes: given({
      id,
      priority: priority === 0 ? undefined : String(priority),
      origin: origin === 'user' ? undefined : origin,
    }),
  }),
};

function wholeNumber(text: string | undefined): number {
  const value = Number(text ?? 0);
  return Number.isSafeInteger(value) ? value : 0;
}

export const memoryList: ToldList<MemoryItem> = {
  file: 'memory.md',
  form: {
    kinds: [
      [/偏好|习惯|preference|semantic/iu, 'semantic', '偏好 · Preferences'],
      [/案例|经历|cases?\b|episodic/iu, 'episodic', '案例 · Cases'],
      [/便签|手头|notes?\b|working/iu, 'working', '便签 · Notes'],
    ],
    usual: 'semantic',
    mark: /^(?:【待确认】|\[waiting\])\s*/iu,
    marks: ['【待确认】', '[waiting] '],
    notes: ['id', 'confidence', 'origin'],
    title: '记忆 · Memory',
  },
  row: (item, path) => {
    const origin = item.marked || item.notes.origin === 'learned' ? 'learned' : 'caller';
    return {
      id: idOf(path, item, item.kind, item.words),
      kind: item.kind as MemoryItem['kind'],
      text: item.words,
      confidence: fraction(item.notes.confidence) ?? usualConfidence[origin],
      confirmed: !item.marked,
      origin,
      createdAt: 0,
    };
  },
  entry: ({ kind, text, confidence, confirmed, origin }, id) => ({
    kind,
    words: text,
    marked: !confirmed,
    notes: given({
      id,
      confidence: confidence === usualConfidence[origin] ? undefined : String(confidence),
      origin: confirmed && origin === 'learned' ? origin : undefined,
    }),
  }),
};

const usualConfidence = { caller: 1, learned: 0.5 };

function fraction(text: string | undefined): number | undefined {
  const value = text === undefined ? Number.NaN : Number(text);
  return value >= 0 && value <= 1 ? value : undefined;
}

export const episodeList: ToldList<Summary> = {
  file: 'episodes.md',
  form: {
    kinds: [],
    usual: '',
    mark: /(?!)/u,
    marks: ['', ''],
    notes: ['id', 'chapter', 'skill', 'at', 'run'],
    title: '已采纳 · Accepted',
  },
  row: (item, path) => {
    const { run, chapter, skill, at = '' } = item.notes;
    const createdAt = Date.parse(at);
    return {
      id: idOf(path, { ...item, notes: given({ id: item.notes.id ?? run }) }, chapter ?? '', at, item.words),
      text: item.words,
      createdAt: Number.isNaN(createdAt) ? 0 : createdAt,
      ...given({ runId: run, skillId: skill, documentId: chapter }),
    };
  },
  entry: ({ text, createdAt, runId, skillId, documentId }, id) => ({
    kind: '',
    words: text,
    marked: false,
    notes: given({
      id: id === runId ? undefined : id,
      chapter: documentId,
      skill: skillId,
      at: new Date(createdAt).toISOString(),
      run: runId,
    }),
  }),
};

/** Something that the book makes its readers wait for. */
export interface StoryPromise {
  readonly id: string;
  readonly text: string;
  readonly state: 'open' | 'paid';
  /** Where it was set up, and where it was paid: a path, a title or a number. */
  readonly chapter?: string;
  readonly paidIn?: string;
  /** Words of the chapter that set it up. */
  readonly quote?: string;
}

export const promiseList: ToldList<StoryPromise> = {
  file: 'promises.md',
  form: {
    kinds: [
      [/已收|已兑现|paid|kept/iu, 'paid', '已收 · Paid'],
      [/未收|未兑现|open/iu, 'open', '未收 · Open'],
    ],
    usual: 'open',
    mark: /(?!)/u,
    marks: ['', ''],
    notes: ['id', 'chapter', 'paid', 'quote'],
    title: '伏笔 · Promises',
  },
  row: (item, path) => ({
    // The same before and after it is paid.
    id: idOf(path, item, item.words),
    text: item.words,
    state: item.kind === 'paid' ? 'paid' : 'open',
    ...given({ chapter: item.notes.chapter, paidIn: item.notes.paid, quote: item.notes.quote }),
  }),
  entry: ({ text, state, chapter, paidIn, quote }, id) => ({
    kind: state,
    words: text,
    marked: false,
    notes: given({ id, chapter, paid: paidIn, quote }),
  }),
};
