// What can be checked without a model, as data. A constraint may declare one of these when its wording is not clear enough.
import * as z from 'zod';

const word = z.string().trim().min(1).max(100);
const words = z.array(word).min(1).max(200);
const chapter = z.int().min(1);

export const punctuationMarks = [
  'exclamation',
  'ellipsis',
  'dash',
  'question',
  'semicolon',
  'colon',
  'parenthesis',
] as const;

export const declaredCheckSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('forbidden-punctuation'),
    marks: z.array(z.enum(punctuationMarks)).min(1),
    where: z.enum(['everywhere', 'narration', 'dialogue']).default('everywhere'),
  }),
  z.strictObject({
    kind: z.literal('forbidden-words'),
    words,
    /** The thing must not exist, so saying that it does not is fine. */
    denialAllowed: z.boolean().default(false),
  }),
  z.strictObject({
    kind: z.literal('narrative-person'),
    person: z.enum(['first', 'third']),
    protagonist: word.optional(),
  }),
  z.strictObject({
    kind: z.literal('name-variants'),
    entityId: z.string().min(1).optional(),
    names: z.array(word).default([]),
    variants: z.array(word).max(200).default([]),
  }),
  z.strictObject({
    kind: z.literal('early-fact'),
    /** First chapter in which it may appear. */
    chapter: chapter.optional(),
    /** Must not be mentioned at all before that chapter. */
    keywords: z.array(word).max(200).default([]),
    /** Must not be known before that chapter, by `knower` (the protagonist when absent). */
    known: word.optional(),
    knower: word.optional(),
    /** Also every secret of the entities in the context. */
    secrets: z.boolean().default(false),
    /** Only the secrets of this entity. */
    entityId: z.string().min(1).optional(),
  }),
  z.strictObject({
    kind: z.literal('length'),
    /** `characters` as Chinese writers count them; `code-points` counts everything, blanks too. */
    unit: z.enum(['characters', 'words', 'code-points']),
    each: z.enum(['text', 'paragraph', 'sentence']).default('text'),
    min: z.int().min(0).optional(),
    max: z.int().min(0).optional(),
  }),
]);

export type DeclaredCheck = z.input<typeof declaredCheckSchema>;
type Rule = z.output<typeof declaredCheckSchema>;
export type RuleOf<K extends Rule['kind']> = Extract<Rule, { kind: K }>;

export type Language = 'zh' | 'en';

export interface Check {
  readonly constraintId: string;
  /** Messages are worded in the language of the constraint. */
  readonly language: Language;
  readonly rule: Rule;
}

/** `model`: judged by a language model, not by a rule. */
export type CheckKind = Rule['kind'] | 'model';

/** UTF-16 offsets, half-open. */
export interface Hit {
  readonly start: number;
  readonly end: number;
  readonly message: Readonly<Record<Language, string>>;
}

export interface JudgeFinding {
  readonly constraintId: string;
  readonly check: CheckKind;
  /** Code points, half-open. */
  readonly start: number;
  readonly end: number;
  /** The text between start and end. */
  readonly evidence: string;
  readonly message: string;
}
