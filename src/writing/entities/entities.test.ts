import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factsAt, relationsWithin, secretsAt } from './entity.js';
import { createEntityMatcher } from './entity-matcher.js';

const cast = [
  { id: 'lin', name: '林远', aliases: ['林', '阿远', 'Lin Yuan', 'Yuan'] },
  { id: 'linzhi', name: '林远之', aliases: ['Lin Yuanzhi'] },
  { id: 'john', name: '约翰·史密斯', aliases: ['John'] },
];
const seen = (text: string) =>
  createEntityMatcher(cast)
    .find(text)
    .map((match) => `${match.entityId}:${match.surface}`);

describe('the search for names', () => {
  it('takes the longest name, left to right', () => {
    expect(seen('林远看着林远之，林家的人都叫他阿远。')).toEqual([
      'lin:林远',
      'linzhi:林远之',
      'lin:林',
      'lin:阿远',
    ]);
  });

  it('matches Latin names as whole words in any case, with possessives', () => {
    expect(seen("LIN YUAN's sword, yuan’s horse, Yuanzhi, Johnson and john.")).toEqual([
      'lin:LIN YUAN',
      'lin:yuan',
      'john:john',
    ]);
    expect(seen('Lin Yuanzhi走了，John也走了')).toEqual(['linzhi:Lin Yuanzhi', 'john:John']);
  });

  it('folds width and name dots', () => {
    expect(seen('ＪＯＨＮ与约翰・史密斯、约翰•史密斯')).toEqual([
      'john:ＪＯＨＮ',
      'john:约翰・史密斯',
      'john:约翰•史密斯',
    ]);
  });

  it.each(['雾从森林远处漫过来。', '屋里很安静。', '骑马超过了车队。', '他的医术很高明。'])(
    'does not see a name inside other words: %s [W9]',
    (text) => {
      const names = ['林远', '安', '马超', '高明'].map((name) => ({ id: name, name }));
      expect(createEntityMatcher(names).find(text)).toEqual([]);
    },
  );

  it('counts in code points', () => {
    expect(createEntityMatcher(cast).find('𠮷😀林远')).toEqual([
      { entityId: 'lin', start: 2, end: 4, surface: '林远' },
    ]);
  });

  it('gives every entity that shares a name', () => {
    const twins = createEntityMatcher([
      { id: 'b', name: '阿宁' },
      { id: 'a', name: '宁', aliases: ['阿宁'] },
    ]);
    expect(twins.find('阿宁').map((match) => match.entityId)).toEqual(['b', 'a']);
  });

  it('agrees with a plain search at every position', () => {
    // Kana, which are never taken for parts of other words.
    const word = fc.string({ unit: fc.constantFrom('は', 'る', 'か'), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 8 }),
        fc.string({ unit: fc.constantFrom('は', 'る', 'か', '，') }),
        (names, text) => {
          const matches = createEntityMatcher(names.map((name, index) => ({ id: String(index), name }))).find(
            text,
          );
          const expected: string[] = [];
          for (let at = 0; at < text.length; ) {
            const best = names
              .filter((name) => text.startsWith(name, at))
              .sort((a, b) => b.length - a.length)[0];
            if (best !== undefined) expected.push(`${at}:${best}`);
            at += best?.length ?? 1;
          }
          expect([...new Set(matches.map((match) => `${match.start}:${match.surface}`))]).toEqual(expected);
        },
      ),
    );
  });

  it('reads each code point a bounded number of times, however many names there are', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => ({
      id: `e${index}`,
      name: `人${index.toString(36)}物`,
    }));
    const matcher = createEntityMatcher(names);
    const text = Array.from({ length: 20_000 }, (_, index) => `人${(index % 12_000).toString(36)}物，`).join(
      '',
    );
    expect(matcher.find(text)).toHaveLength(18_000);
  });
});

describe('the neighbours of an entity', () => {
  const ring = [
    { id: 'a', relations: [{ to: 'b' }] },
    { id: 'b', relations: [{ to: 'c' }, { to: 'gone' }] },
    { id: 'c', relations: [{ to: 'a' }, { to: 'd' }] },
    { id: 'd' },
  ];

  it('follows relations one step both ways, and ends on circles', () => {
    expect(relationsWithin(ring, ['a'])).toEqual([
      { entityId: 'b', distance: 1 },
      { entityId: 'c', distance: 1 },
    ]);
    expect(relationsWithin(ring, ['a'], 99).map((entry) => entry.entityId)).toEqual(['b', 'c', 'd']);
  });

  it('gives nothing for unknown seeds or depth 0', () => {
    expect(relationsWithin(ring, ['nobody'])).toEqual([]);
    expect(relationsWithin(ring, ['a'], 0)).toEqual([]);
  });
});

describe('the facts of a chapter', () => {
  const lin = {
    facts: [
      { text: 'always' },
      { text: 'early', until: 3 },
      { text: 'late', from: 4 },
      { text: 'secret', secretUntil: 5 },
    ],
  };
  const texts = (chapter?: number) => factsAt(lin, chapter).map((fact) => fact.text);

  it('keeps to the chapters in which a fact holds, borders included', () => {
    expect(texts(3)).toEqual(['always', 'early']);
    expect(texts(4)).toEqual(['always', 'late']);
    expect(texts(5)).toEqual(['always', 'late', 'secret']);
    expect(texts()).toEqual(['always']);
  });

  it('lists what is still secret', () => {
    expect(secretsAt(lin, 4).map((fact) => fact.text)).toEqual(['secret']);
    expect(secretsAt(lin, 5)).toEqual([]);
  });
});
