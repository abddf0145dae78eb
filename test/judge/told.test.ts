import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  findTold,
  openSecrets,
  prepareSecret,
  secretTold,
  tells,
} from '../../src/writing/entities/secrets.js';

interface Labelled {
  readonly part: 'open' | 'held-out';
  readonly language: 'zh' | 'en';
  readonly told: boolean;
  readonly names: readonly string[];
  readonly secret: string;
  readonly text: string;
}

const pairs = readFileSync(new URL('./told-secrets.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Labelled);
const isTold = ({ text, secret, names }: Labelled) => secretTold(text, { text: secret, names });

describe('secretTold on labelled pairs', () => {
  it('has at least 100 pairs, half of them held out, and no secret in both halves', () => {
    const held = pairs.filter(({ part }) => part === 'held-out');
    expect(pairs.length).toBeGreaterThanOrEqual(100);
    expect(held.length / pairs.length).toBeGreaterThan(0.45);
    const secrets = new Set(held.map(({ secret }) => secret));
    expect(pairs.filter(({ part, secret }) => part === 'open' && secrets.has(secret))).toEqual([]);
  });

  it.each(['zh', 'en'] as const)('%s: nothing is called told that is not [W4]', (language) => {
    const own = pairs.filter((pair) => pair.language === language);
    expect(own.filter((pair) => !pair.told && isTold(pair)).map(({ text }) => text)).toEqual([]);
    for (const part of ['open', 'held-out'] as const) {
      const wanted = own.filter((pair) => pair.told && pair.part === part);
      const found = wanted.filter(isTold).length;
      console.log(`told ${language} ${part}: precision 1.000, recall ${found}/${wanted.length}`);
      expect(found / wanted.length).toBeGreaterThanOrEqual(0.9);
    }
  });
});

describe('secrets that are not told yet', () => {
  const entity = {
    id: 'lin',
    name: '林远',
    aliases: ['阿远'],
    kind: '',
    description: '冷静。\n第七章前保密：他是沈家的人。\nSecret until part 2: his arm is wooden.',
    inclusion: 'always' as const,
    neverTrimmed: false,
    facts: [],
    secrets: [{ text: '他是卧底。', hiddenUntil: 5 }],
    relations: [],
    version: 1,
    updatedAt: 0,
  };
  const open = (position?: number) => openSecrets([entity], position).map(({ hiddenUntil }) => hiddenUntil);

  it('keeps what is stored and what the description says, until its chapter', () => {
    expect([open(4), open(5), open(7), open()]).toEqual([[5, 7], [7], [], [5, 7]]);
    const parts = openSecrets([entity], 1, (_, number) => ({ first: number * 10, last: number * 10 + 9 }));
    expect(parts.map(({ text }) => text)).toContain('his arm is wooden.');
  });

  it('names the secrets a passage tells, whatever the person is called', () => {
    const secrets = openSecrets([entity], 1);
    expect(tells('阿远就是卧底，也是沈家的人。', secrets)).toEqual(secrets);
    expect(tells('阿远在找卧底。沈家的人来了。', secrets)).toEqual([]);
    expect(tells('', secrets)).toEqual([]);
    expect(tells('阿远就是卧底。', [])).toEqual([]);
  });
});

describe('the search for a told secret', () => {
  it('points at the words that tell', () => {
    const secret = prepareSecret({ text: '他是卧底。', names: ['林远'] });
    const text = '雨停了。原来林远就是那个卧底，谁也没料到。';
    expect(findTold(text, secret).map(({ start, end }) => text.slice(start, end))).toEqual([
      '林远就是那个卧底',
    ]);
  });

  it('reads a secret of several sentences one by one, and tells nothing for an empty one', () => {
    const secret = prepareSecret({ text: '他是卧底。账册藏在枯井里。', names: ['林远'] });
    expect(findTold('账册就藏在那口枯井里。', secret)).toHaveLength(1);
    expect(findTold('什么都没有。', prepareSecret({ text: '。', names: [] }))).toEqual([]);
  });
});
