// Where does each document stand in the story, as people count chapters? By the numbers in the titles where no two chapters share one:
// a prologue stands before chapter 1, an interlude with the chapter before it. Else by the order of the documents.
import { chapterNumber } from './numerals.js';

interface NamedDocument {
  readonly id: string;
  readonly title: string;
  readonly order: number;
}

const known = new WeakMap<readonly NamedDocument[], ReadonlyMap<string, number>>();

export function storyPlaces(documents: readonly NamedDocument[]): ReadonlyMap<string, number> {
  const places = known.get(documents) ?? placesOf(documents);
  known.set(documents, places);
  return places;
}

function placesOf(documents: readonly NamedDocument[]): ReadonlyMap<string, number> {
  const inOrder = [...documents].sort((left, right) => left.order - right.order);
  const numbers = inOrder.map(({ title }) => chapterNumber(title));
  const told = numbers.filter((number) => number !== undefined);
  if (told.length === 0 || new Set(told).size < told.length)
    return new Map(documents.map(({ id, order }) => [id, order]));
  let last = Math.min(told[0]! - 1, inOrder.length);
  return new Map(
    inOrder.map(({ id }, index) => {
      last = numbers[index] ?? last;
      return [id, last];
    }),
  );
}
