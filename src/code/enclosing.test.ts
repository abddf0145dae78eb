import { describe, expect, it } from 'vitest';
import { outline } from './outline.js';
import { enclosingChain, enclosingSymbol } from './range-evidence.js';

const source = [
  'export class Box {',
  '  size = 1;',
  '  table = {',
  '    a: 1,',
  '  };',
  '  open(',
  '    key: string,',
  '  ) {',
  '    const inner = () => {',
  '      return key;',
  '    };',
  '    return inner();',
  '  }',
  '}',
  'after();',
].join('\n');

describe('enclosing symbols', () => {
  it('names the innermost symbol that holds the whole range', async () => {
    const box = await outline('box.ts', source);
    expect(enclosingSymbol(box, 10, 10)?.name).toBe('inner');
    expect(enclosingSymbol(box, 10, 12)?.name).toBe('open');
    expect(enclosingSymbol(box, 4, 10)?.name).toBe('Box');
    expect(enclosingSymbol(box, 15, 15)).toBeUndefined();
    expect(enclosingSymbol(box, 12, 15)).toBeUndefined();
  });

  it('answers a one-line field with its owner and a long one with itself', async () => {
    const box = await outline('box.ts', source);
    expect(enclosingSymbol(box, 2, 2)?.name).toBe('Box');
    expect(enclosingSymbol(box, 4, 4)?.name).toBe('table');
  });

  it('lists the chain around a line from the outside in', async () => {
    const box = await outline('box.ts', source);
    expect(enclosingChain(box, 10).map(({ name }) => name)).toEqual(['Box', 'open', 'inner']);
    expect(enclosingChain(box, 2).map(({ name }) => name)).toEqual(['Box', 'size']);
    expect(enclosingChain(box, 15)).toEqual([]);
  });
});
