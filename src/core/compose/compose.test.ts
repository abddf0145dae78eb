import { describe, expect, it } from 'vitest';
import { hashText } from '../../meters/content-hash.js';
import { bytesMeter } from '../../meters/plain-meters.js';
import { typeset } from '../assemble.js';
import type { Fragment } from '../model/fragment.js';
import type { Recipe } from '../model/recipe.js';

const recipe: Recipe = {
  id: 'test',
  version: 1,
  overflow: 'concede',
  layers: [{ id: 'a', keep: 'all' }],
  sections: ['s1', 's2', 's3', 's4', 's5', 's6'].map((id, index) => ({
    id,
    channel: index === 0 ? 'system' : 'prompt',
    stable: index < 3,
    breakpoint: true,
  })),
};
const dialect = {
  id: 'test',
  version: 1,
  apart: '\n\n',
  section: (id: string) => ({ heading: `[${id}]\n`, between: '\n' }),
  word: (body: string) => body,
};
const fragment = (section: string, body: string): Fragment<string> => ({
  id: `${section}-1`,
  source: 'test',
  scope: { project: 'p' },
  layer: 'a',
  section,
  rank: 0,
  position: 0,
  levels: [{ name: 'whole', body }],
});
const set = (bodies: Record<string, string>) =>
  typeset(
    { recipe, dialect, meter: bytesMeter, hash: hashText },
    { scope: { project: 'p' }, budget: { limit: { unit: 'bytes', n: 10_000 } } },
    Object.entries(bodies).map(([section, body]) => fragment(section, body)),
  );
const partsOf = (bodies: Record<string, string>) => set(bodies).prompt.pages[0]?.parts ?? [];
const all = { s1: 'one', s2: '二', s3: 'three', s4: 'four', s5: 'five', s6: 'six' };

describe('setting the sections', () => {
  it('separates channels, omits empty sections, and joins the rest', () => {
    expect(
      partsOf({ s1: 'one', s3: 'three', s4: 'four' }).map(({ channel, text }) => [channel, text]),
    ).toEqual([
      ['system', '[s1]\none'],
      ['prompt', '[s3]\nthree\n\n[s4]\nfour'],
    ]);
  });

  it('places at most four breakpoints in a part, each at the end of its section', () => {
    const prompt = partsOf(all)[1];
    expect(prompt?.breakpoints).toHaveLength(4);
    for (const { offset, section } of prompt?.breakpoints ?? []) {
      const before = Buffer.from(prompt?.text ?? '')
        .subarray(0, offset)
        .toString()
        .trimEnd();
      expect(before.endsWith(all[section as keyof typeof all])).toBe(true);
    }
  });

  it('marks the bytes of the leading stable sections', () => {
    const prompt = partsOf(all)[1];
    expect(
      Buffer.from(prompt?.text ?? '')
        .subarray(0, prompt?.stableBytes)
        .toString(),
    ).toBe('[s2]\n二\n\n[s3]\nthree\n\n');
  });

  it('gives a fingerprint that follows every byte before it, the system text included, and none after it', () => {
    const at = (bodies: Record<string, string>, section: string) =>
      partsOf(bodies)[1]?.breakpoints.find((point) => point.section === section)?.fingerprint;
    expect(at({ ...all, s6: 'other' }, 's5')).toBe(at(all, 's5'));
    expect(at({ ...all, s5: 'other' }, 's5')).not.toBe(at(all, 's5'));
    expect(at({ ...all, s1: 'other' }, 's5')).not.toBe(at(all, 's5'));
  });

  it('says in the receipt what each layer weighs, headings included', () => {
    const { receipt } = set(all);
    expect(receipt.layers).toEqual([{ id: 'a', amount: receipt.used.n, kept: 6, left: 0 }]);
  });
});
