// The page of a review: first what is the same for every page and may be cached, then, in a fence, what the author says, a map of the
// change, and the files by their riskiest unit, each unit with its diff, its context and what linters said.

import { type CleanText, cleanText, hitsOf } from '../../cleaning/clean-text.js';
import type { Fragment } from '../../core/model/fragment.js';
import type { Dialect, Recipe } from '../../core/model/recipe.js';
import { dependencyLine } from '../change/lockfile-changes.js';
import { contextWords } from '../context/arrange-pieces.js';
import { type ContextBody, contextLayers } from '../context/choose-context.js';
import type { ContextPiece } from '../context/context-pieces.js';
import type { LastingText } from '../pages/lasting-text.js';
import { labelled } from '../pages/page-fragments.js';
import type { ShownRule } from '../pages/yielding-rules.js';
import { shortenData } from '../pieces/abridge-data.js';
import type { Fence } from './reviewer-system.js';

export const reviewScope = { project: 'review' };

export type ReviewBody =
  | { readonly kind: 'text'; readonly text: string }
  /** Put aside, finished and weighed; looked up when its page is set. */
  | { readonly kind: 'diff'; readonly id: string }
  | ContextBody;

export const reviewRecipe: Recipe = {
  id: 'review-page',
  version: 1,
  overflow: 'paginate',
  layers: [
    { id: 'frame', keep: 'all', everyPage: true },
    { id: 'rules', keep: 'all', everyPage: true },
    { id: 'instructions', keep: 'all', everyPage: true },
    { id: 'intent', keep: 'all', everyPage: true },
    { id: 'map', keep: 'all', everyPage: true },
    { id: 'notes', keep: 'all', everyPage: true },
    ...contextLayers,
    { id: 'linter', keep: 'highest-rank', yieldOrder: 2, refill: true },
    { id: 'diff', keep: 'all' },
  ],
  sections: [
    { id: 'reviewer', channel: 'system', stable: true, breakpoint: true },
    { id: 'rules', channel: 'prompt', stable: true, breakpoint: true },
    { id: 'instructions', channel: 'prompt', stable: true, breakpoint: true },
    { id: 'open', channel: 'prompt' },
    { id: 'intent', channel: 'prompt' },
    { id: 'map', channel: 'prompt', breakpoint: true },
    { id: 'coverage', channel: 'prompt' },
    { id: 'dependencies', channel: 'prompt' },
    { id: 'change', channel: 'prompt' },
    { id: 'close', channel: 'prompt' },
    { id: 'task', channel: 'prompt' },
    { id: 'answer', channel: 'answer', stable: true },
  ],
};

/** The same text, whose end a provider may keep as well. */
export const continuedRecipe: Recipe = {
  ...reviewRecipe,
  sections: reviewRecipe.sections.map((section) =>
    section.id === 'task' ? { ...section, breakpoint: true } : section,
  ),
};

const headings: Readonly<Record<string, string>> = {
  rules: '## Project Rules\n',
  instructions: '## Instructions\n',
  intent: '## Intent\n',
  map: '## The change\n',
  coverage: '## Coverage\n',
  dependencies: '## Dependency Changes\n',
};
const between: Readonly<Record<string, string>> = { rules: '\n\n', dependencies: '\n' };
/** Ours, word for word. */
const trusted: ReadonlySet<string> = new Set(['reviewer', 'open', 'close', 'task', 'answer']);

export type Clean = (words: string, place: { readonly path?: string }) => CleanText;

interface DialectPorts {
  /** Words of a block of the diff. */
  blockOf(id: string): string;
  /** Told what finishing did to the words of a fragment. */
  onClean(fragment: Fragment<ReviewBody>, clean: CleanText): void;
  /** For words that are asked for again and again, while a change is held. */
  readonly clean?: Clean | undefined;
  readonly snippetWords?: ((piece: ContextPiece) => string) | undefined;
}

export const wordsOfSnippet = (piece: ContextPiece): string => shortenData(contextWords(piece));

export function reviewDialect({
  blockOf,
  onClean,
  clean = cleanText,
  snippetWords = wordsOfSnippet,
}: DialectPorts): Dialect<ReviewBody> {
  return {
    id: 'review-page',
    version: 1,
    apart: '\n\n',
    section: (id) => ({ heading: headings[id] ?? '', between: between[id] ?? '' }),
    word(body) {
      if (body.kind === 'text') return body.text;
      return body.kind === 'diff' ? blockOf(body.id) : snippetWords(body.piece);
    },
    finish(words, fragment) {
      if (trusted.has(fragment.section)) return { text: words, hits: {} };
      const { section, ref } = fragment;
      const cleaned = clean(words, section === 'change' && ref !== undefined ? { path: ref.path } : {});
      onClean(fragment, cleaned);
      return { text: cleaned.text, hits: hitsOf(cleaned) };
    },
  };
}

interface LastingParts {
  readonly system: string;
  /** The form of the answer, for models that are told of it apart. */
  readonly answer: string | undefined;
  readonly fence: Pick<Fence, 'open' | 'close'>;
  readonly said: Pick<LastingText, 'instructions' | 'dependencies'> & {
    readonly rules: readonly ShownRule[];
  };
  readonly intent: string;
  readonly map: string;
  readonly coverage: string | undefined;
  /** The last words. */
  readonly closing: string;
}

/** Everything that stands on every page, around the change. */
export function lastingFragments(parts: LastingParts): Fragment<ReviewBody>[] {
  const { system, answer, fence, intent, map, coverage } = parts;
  const { rules, instructions, dependencies } = parts.said;
  return [
    lasting('system', 'reviewer', system),
    ...(answer === undefined ? [] : [lasting('answer', 'answer', answer)]),
    ...rules.map((rule, position) =>
      lasting(`rules:${rule.path}`, 'rules', labelled(rule), {
        ...{ layer: 'rules', position, isPart: rule.isPart === true },
        ref: { path: rule.path },
      }),
    ),
    ...(instructions === undefined
      ? []
      : [lasting('instructions', 'instructions', instructions.trim(), { layer: 'instructions' })]),
    lasting('fence:open', 'open', fence.open),
    ...(intent === '' ? [] : [lasting('intent', 'intent', intent, { layer: 'intent' })]),
    ...(map === '' ? [] : [lasting('map', 'map', map, { layer: 'map' })]),
    ...(coverage === undefined ? [] : [lasting('coverage', 'coverage', coverage, { layer: 'notes' })]),
    ...dependencies.map((each, position) =>
      lasting(`dependencies:${position}`, 'dependencies', dependencyLine(each), { layer: 'notes', position }),
    ),
    lasting('fence:close', 'close', fence.close),
    lasting('task', 'task', parts.closing),
  ];
}

interface LastingFacts extends Partial<Pick<Fragment, 'layer' | 'position' | 'ref'>> {
  readonly isPart?: boolean;
}

function lasting(
  id: string,
  section: string,
  text: string,
  { isPart = false, ...facts }: LastingFacts = {},
): Fragment<ReviewBody> {
  return {
    ...{ id, source: section, scope: reviewScope, layer: 'frame', section, rank: 0, position: 0 },
    levels: [{ name: isPart ? 'part' : 'whole', body: { kind: 'text', text } }],
    ...facts,
  };
}
