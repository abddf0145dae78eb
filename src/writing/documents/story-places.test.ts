import { expect, it } from 'vitest';
import { storyPlaces } from './story-places.js';

const placesOf = (...titles: string[]) => [
  ...storyPlaces(titles.map((title, index) => ({ id: `${index}`, title, order: index + 1 }))).values(),
];

it('counts as the titles count: a prologue comes before chapter 1', () => {
  expect(placesOf('卷首', '第一回 甄士隐', '第二回', '第三回')).toEqual([0, 1, 2, 3]);
  expect(placesOf('Prologue', 'Chapter 1', 'Interlude', 'Chapter 2', 'Epilogue')).toEqual([0, 1, 1, 2, 2]);
});

it('counts the documents where numbers begin again, or there are none', () => {
  expect(placesOf('第一章', '第二章', '第一章')).toEqual([1, 2, 3]);
  expect(placesOf('Rain', 'Snow')).toEqual([1, 2]);
});
