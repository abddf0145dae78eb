import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { answersFolder, keptAnswers, keptReview } from './kept-answers.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'galley-kept-')));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('keeps whole files and forgets the oldest when there are too many', async () => {
  const kept = keptAnswers(folder, { most: 3 });
  await kept.tidy();
  const answer = { findings: [], requests: [{ type: 'callers' }], text: '{}', isOpen: true };
  const names = ['a', 'b', 'c', 'd', 'e'];
  const written = await Promise.all(names.map((name) => kept.put(name, answer)));
  expect(written).toEqual([true, true, true, true, true]);
  const place = join(folder, 'galley', 'reviews');
  names.forEach((name, at) => {
    utimesSync(join(place, `${name}.json`), 1000 - at, 1000 - at);
  });
  await kept.tidy();
  expect(readdirSync(place).sort()).toEqual(['a.json', 'b.json', 'c.json']);
  expect(await kept.get('a', keptReview)).toEqual({ version: 1, ...answer });
  expect(await kept.get('e', keptReview)).toBeUndefined();
});

it('keeps them where the user says, unless a change could put a file there [R25]', async () => {
  const facts = { topLevel: join(folder, 'work'), gitDirectory: join(folder, 'work', '.git') };
  mkdirSync(facts.gitDirectory, { recursive: true });
  symlinkSync(facts.topLevel, join(folder, 'link'));
  const place = (named?: string) => answersFolder(facts, named);
  expect(await place()).toBe(facts.gitDirectory);
  for (const allowed of ['elsewhere', 'work-beside', 'work/.git/answers'])
    expect(await place(join(folder, allowed))).toBe(join(folder, allowed));
  for (const refused of ['work', 'work/answers', 'link/answers'])
    await expect(place(join(folder, refused))).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      details: { field: 'GALLEY_ANSWERS' },
    });
});
