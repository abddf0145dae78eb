// What stays the same while a held change is set for one budget after another: cleaned words, words of snippets, fragments. Each part is
// known by the very things it is made of, so that none outlives them.
import { LRUCache } from 'lru-cache';
import { type CleanText, cleanText } from '../../cleaning/clean-text.js';
import type { PricedCandidates } from '../../core/lay-out.js';
import type { Fragment } from '../../core/model/fragment.js';
import type { PressSetup } from '../../core/model/press.js';
import type { ChosenContext } from '../context/choose-context.js';
import type { ContextPiece } from '../context/context-pieces.js';
import type { CleanRecord } from './clean-record.js';
import { type Clean, type ReviewBody, wordsOfSnippet } from './review-page.js';

type Fragments = readonly Fragment<ReviewBody>[];

/** A review in its final words, with the texts and notes its press goes by. */
export interface Typeset {
  readonly press: PressSetup<ReviewBody>;
  readonly priced: PricedCandidates;
  /** Of the blocks of the page that is being set. */
  readonly texts: Map<string, string>;
  readonly record: CleanRecord;
}

export interface SteadyParts {
  readonly clean: Clean;
  snippetWords(piece: ContextPiece): string;
  /** `of`: everything the blocks of the diff are made of. */
  blocks(of: readonly unknown[], make: () => Fragments): Fragments;
  /** `of`: everything the snippets of a page are placed by. */
  snippets(chosen: ChosenContext, of: readonly unknown[], make: () => Fragments): Fragments;
  /** `of`: everything that is set, and how it reads. */
  typeset(of: readonly unknown[], make: () => Typeset): Typeset;
}

/** Two for each setting: with and without what stands beside the diff. */
const mostTypesets = 4;

export function steadyParts(): SteadyParts {
  const words = new WeakMap<ContextPiece, string>();
  const placed = new WeakMap<ChosenContext, Made<Fragments>>();
  let blocks: Made<Fragments> | undefined;
  let typesets: readonly Made<Typeset>[] = [];
  return {
    clean: rememberedClean(),
    snippetWords(piece) {
      const known = words.get(piece) ?? wordsOfSnippet(piece);
      words.set(piece, known);
      return known;
    },
    blocks(of, make) {
      if (!isOf(blocks, of)) blocks = { of, value: make() };
      return blocks.value;
    },
    snippets(chosen, of, make) {
      const known = placed.get(chosen);
      const found = isOf(known, of) ? known : { of, value: make() };
      placed.set(chosen, found);
      return found.value;
    },
    typeset(of, make) {
      const found = typesets.find((known) => isOf(known, of)) ?? { of, value: make() };
      typesets = [found, ...typesets.filter((known) => known !== found)].slice(0, mostTypesets);
      return found.value;
    },
  };
}

interface Made<Value> {
  readonly of: readonly unknown[];
  readonly value: Value;
}

function isOf<Value>(known: Made<Value> | undefined, of: readonly unknown[]): known is Made<Value> {
  return known?.of.length === of.length && of.every((part, at) => part === known.of[at]);
}

/** Characters that are held at most. */
const mostCleaned = 8_000_000;

/** The same words of the same file are cleaned once; a text is looked up by itself, since joining it to its path costs more. */
function rememberedClean(): Clean {
  const known = new LRUCache<string, { readonly path: string | undefined; readonly cleaned: CleanText }>({
    maxSize: mostCleaned,
    sizeCalculation: ({ cleaned }) => cleaned.text.length + 1,
  });
  return (words, place) => {
    const found = known.get(words);
    if (found !== undefined && found.path === place.path) return found.cleaned;
    const cleaned = cleanText(words, place);
    known.set(words, { path: place.path, cleaned });
    return cleaned;
  };
}
