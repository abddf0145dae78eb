import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { keptAnswers, keptReview } from './kept-answers.js';

const folder = mkdtempSync(join(tmpdir(), 'galley-kept-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('keeps whole files and forgets the oldest when there are too many', async () => {
  const kept = keptAnswers(folder, 3);
  await kept.tidy();
  const names = ['a', 'b', 'c', 'd', 'e'];
  const written = await Promise.all(names.map((name) => kept.put(name, { findings: [] })));
  expect(written).toEqual([true, true, true, true, true]);
  const place = join(folder, 'galley', 'reviews');
  names.forEach((name, at) => {
    utimesSync(join(place, `${name}.json`), 1000 - at, 1000 - at);
  });
  await kept.tidy();
  expect(readdirSync(place).sort()).toEqual(['a.json', 'b.json', 'c.json']);
  expect(await kept.get('a', keptReview)).toEqual({ version: 1, findings: [] });
  expect(await kept.get('e', keptReview)).toBeUndefined();
});
