// A receipt is the hash of its body wherever it is read, and the next call of a conversation is the one before with more behind it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashText } from '../../meters/content-hash.js';
import { bytesMeter } from '../../meters/plain-meters.js';
import { typeset } from '../assemble.js';
import { extend, turnsOf } from '../extend.js';
import { layOut, roomBeside } from '../lay-out.js';
import type { Fragment } from '../model/fragment.js';
import type { Recipe } from '../model/recipe.js';
import { shortReceipt, verifyReceipt, withoutSpans } from './seal.js';

const scope = { project: 'p' };
const recipe: Recipe = {
  id: 'call',
  version: 1,
  overflow: 'concede',
  layers: [
    { id: 'frame', keep: 'all' },
    { id: 'finds', keep: 'highest-rank', yieldOrder: 1, refill: true },
  ],
  sections: [
    { id: 'system', channel: 'system' },
    { id: 'frame', channel: 'prompt' },
    { id: 'finds', channel: 'prompt' },
    { id: 'answer', channel: 'answer' },
  ],
};
const press = {
  recipe,
  dialect: {
    ...{ id: 'call', version: 1, apart: '\n', section: () => ({ heading: '', between: '\n' }) },
    word: (body: string) => body,
    finish: (words: string) => ({
      text: words.replaceAll('secret', '[gone]'),
      hits: { secret: words.split('secret').length - 1 },
    }),
  },
  meter: bytesMeter,
  hash: hashText,
};
const part = (id: string, section: string, body: string, rank = 0): Fragment<string> => ({
  ...{
    id,
    source: 's',
    scope,
    layer: section === 'finds' ? 'finds' : 'frame',
    section,
    rank,
    position: rank,
  },
  levels: [{ name: 'whole', body }],
});
const fragments = [
  part('s', 'system', 'You read.'),
  part('f', 'frame', 'Read this secret.'),
  part('a', 'answer', '{"type":"object"}'),
  ...[1, 2, 3, 4].map((rank) => part(`find ${rank}`, 'finds', 'x'.repeat(rank * 10), rank)),
];
const budget = (n: number, more: object = {}) => ({ limit: { unit: 'bytes' as const, n }, ...more });
const sealed = (n = 500, more: object = {}) =>
  layOut(press, { scope, budget: budget(n, more) }, fragments).sealPage(0, { facts: { kind: 'test' } });

describe('a sealed call', () => {
  it('weighs and hashes system text, prompt and the form of the answer as they will be sent [wire.sealed]', () => {
    const { system, prompt, answer = '', receipt } = sealed();
    const [page] = receipt.pages;
    expect(page?.parts.map(({ channel, hash }) => [channel, hash])).toEqual([
      ['system', hashText(system)],
      ['prompt', hashText(prompt)],
      ['answer', hashText(answer)],
    ]);
    expect(receipt.used.n).toBe(Buffer.byteLength(system + prompt + answer));
    expect(prompt).toContain('Read this [gone].');
    expect(receipt.ledger.find(({ fragment }) => fragment === 'f')?.finished).toEqual({ secret: 1 });
  });

  it('keeps its id through storage, without spans and with keys in another order [wire.sealed]', () => {
    const { receipt } = sealed();
    expect(verifyReceipt(receipt, hashText)).toBe('sealed');
    const turned = Object.fromEntries(Object.entries(JSON.parse(JSON.stringify(receipt))).reverse());
    expect(verifyReceipt(turned, hashText)).toBe('sealed');
    expect(verifyReceipt(withoutSpans(receipt), hashText)).toBe('sealed');
    const { ledger: _, ...short } = receipt;
    expect(verifyReceipt(short, hashText)).toBe('sealed');
    expect(verifyReceipt(shortReceipt(receipt), hashText)).toBe('sealed');
    expect(verifyReceipt({ ...receipt, ledger: receipt.ledger.slice(1) }, hashText)).toBe('altered');
    expect(verifyReceipt({ ...receipt, version: 1 }, hashText)).toBe('unverified');
    expect(verifyReceipt(null, hashText)).toBe('unverified');
  });

  it('is altered by any change of a value, wherever it stands [wire.sealed]', () => {
    const { receipt } = sealed();
    const places: (readonly string[])[] = [];
    const walk = (value: unknown, path: readonly string[]) => {
      if (typeof value === 'object' && value !== null)
        for (const [name, field] of Object.entries(value)) walk(field, [...path, name]);
      else if (path[0] !== 'version') places.push(path);
    };
    walk(receipt, []);
    fc.assert(
      fc.property(fc.constantFrom(...places), (path) => {
        const copy = JSON.parse(JSON.stringify(receipt));
        let at = copy;
        for (const name of path.slice(0, -1)) at = at[name];
        const name = path.at(-1) ?? '';
        at[name] = typeof at[name] === 'number' ? at[name] + 1 : `${at[name]}x`;
        expect(verifyReceipt(copy, hashText)).toBe('altered');
      }),
    );
  });

  it('goes on with more words behind it, under a receipt that names the one before [wire.sealed]', () => {
    const first = sealed(500, { reserve: 40 });
    const words = '\nOnce more, please.\n';
    const again = { fragment: 'again', source: 's', layer: 'frame', words };
    const second = extend(first, again, { meter: bytesMeter, hash: hashText });
    expect(second.prompt).toBe(first.prompt + words);
    expect(second.receipt.previous).toBe(first.receipt.id);
    expect(verifyReceipt(second.receipt, hashText)).toBe('sealed');
    const span = second.receipt.pages[0]?.parts.find(({ channel }) => channel === 'prompt')?.spans.at(-1);
    expect(Buffer.from(second.prompt).toString('utf8', span?.start, span?.end)).toBe(words);
    expect(() =>
      extend(second, { ...again, words: 'y'.repeat(500) }, { meter: bytesMeter, hash: hashText }),
    ).toThrow(expect.objectContaining({ code: 'CONTEXT_BUDGET_INFEASIBLE' }));
  });

  it('goes on as messages in turn, with what was refused in its ledger and a budget of its own [wire.sealed]', () => {
    const first = sealed();
    const line = { source: 's', layer: 'frame' };
    const rejection = { ...line, id: 'request 2', verdict: 'over-limit' as const, reason: 'too much' };
    const next = extend(
      first,
      [
        { ...line, fragment: 'said', words: '答', turn: true },
        { ...line, fragment: 'served', words: 'Here: ', turn: true },
        { ...line, fragment: 'task', words: 'Go on.' },
      ],
      { meter: bytesMeter, hash: hashText, budget: 5000, rejections: [rejection], breakpoint: true },
    );
    const start = Buffer.byteLength(first.prompt);
    expect(next.prompt).toBe(`${first.prompt}答Here: Go on.`);
    expect(turnsOf(next.receipt.pages[0])).toEqual([start, start + 3]);
    expect(next.receipt.budget.n).toBe(5000);
    expect(next.receipt.ledger.at(-1)).toMatchObject({ fragment: 'request 2', verdict: 'over-limit' });
    const part = next.receipt.pages[0]?.parts.find(({ channel }) => channel === 'prompt');
    expect(part?.breakpoints.at(-1)?.offset).toBe(part?.bytes);
    expect(verifyReceipt(JSON.parse(JSON.stringify(next.receipt)), hashText)).toBe('sealed');
    const again = extend(
      next,
      { ...line, fragment: 'again', words: '!' },
      { meter: bytesMeter, hash: hashText },
    );
    expect(turnsOf(again.receipt.pages[0])).toEqual([start, start + 3]);
  });
});

describe('lines and rejections', () => {
  it('keeps layers to a line of their own, and fills what is left of it with smaller pieces', () => {
    const kept = (n: number) =>
      typeset(press, { scope, budget: budget(1000, { lines: [{ layers: ['finds'], n }] }) }, fragments)
        .receipt.ledger.filter(({ layer, level }) => layer === 'finds' && level !== undefined)
        .map(({ fragment, verdict }) => `${fragment} ${verdict}`);
    expect(kept(1000)).toHaveLength(4);
    expect(kept(75)).toEqual(['find 3 kept', 'find 4 kept']);
    expect(kept(55)).toEqual(['find 1 refilled', 'find 4 kept']);
    expect(kept(0)).toEqual([]);
  });

  it('writes what the desk turned away into the ledger, with its reason', () => {
    const rejections = [
      { id: 'late', source: 'story', layer: 'finds', verdict: 'withheld' as const, reason: 'not yet told' },
    ];
    const { receipt } = typeset(press, { scope, budget: budget(1000), rejections }, fragments);
    expect(receipt.ledger.at(-1)).toEqual({
      ...{ fragment: 'late', source: 'story', layer: 'finds', verdict: 'withheld', reason: 'not yet told' },
    });
    expect(receipt.layers.find(({ id }) => id === 'finds')?.left).toBe(1);
  });

  it('knows how much room lasting fragments leave: what is set in it always fits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 2000 }), fc.integer({ min: 0, max: 60 }), (n, words) => {
        const lasting = [part('f', 'frame', 'w'.repeat(words)), part('s', 'system', 'You read.')];
        const { left } = roomBeside(press, { scope, budget: budget(n) }, lasting, ['finds']);
        fc.pre(left > 0);
        const { receipt } = typeset(press, { scope, budget: budget(n) }, [
          ...lasting,
          part('rest', 'finds', 'x'.repeat(left), 1),
        ]);
        expect(receipt.ledger.find(({ fragment }) => fragment === 'rest')?.verdict).toBe('kept');
      }),
    );
  });
});
