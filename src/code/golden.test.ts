// Fixtures carry their own expectations: `is:` kind of the symbol that starts on the line ('+' when exported),
// `sig:` the last line of its signature, `in:` the chain of symbols around the line ('-' for none).
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { outline } from './outline.js';
import { enclosingChain } from './range-evidence.js';

const folder = new URL('./fixtures/', import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith('.txt'));

interface Expectation {
  readonly line: number;
  readonly is?: string | undefined;
  readonly sig?: string | undefined;
  readonly within?: string | undefined;
}

function expectations(text: string): Expectation[] {
  return text.split('\n').flatMap((content, at) => {
    const note = /(?:\/\/|#|--|\/\*) ((?:is|sig|in): [^\r]*)/.exec(content)?.[1]?.replace(/\s*\*\/\}?$/, '');
    if (note === undefined) return [];
    const is = /\bis: (\S+)/.exec(note)?.[1];
    return [{ line: at + 1, is, sig: /\bsig: (\d+)/.exec(note)?.[1], within: /\bin: (.*)$/.exec(note)?.[1] }];
  });
}

async function observed(path: string, text: string, wanted: readonly Expectation[]): Promise<Expectation[]> {
  const found = await outline(path, text);
  return wanted.map(({ line, is, sig, within }) => {
    const starting = found.symbols.filter(({ startLine }) => startLine === line);
    const named = starting.find(({ kind, exported }) => kind + (exported ? '+' : '') === is) ?? starting[0];
    const chain = enclosingChain(found, line).map(({ name }) => name);
    return {
      line,
      is: is === undefined ? undefined : named && named.kind + (named.exported ? '+' : ''),
      sig: sig === undefined ? undefined : String(named?.signatureEndLine),
      within: within === undefined ? undefined : chain.join('/') || '-',
    };
  });
}

describe('golden outlines', () => {
  it.each(names)('names the exact unit of every marked line of %s [rule.layer]', async (name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const path = name.replace(/\.txt$/, '');
    const wanted = expectations(text);
    expect(wanted.length).toBeGreaterThan(5);
    expect(await observed(path, text, wanted)).toEqual(wanted);
  });

  it.each(names)('does not mind CRLF line ends in %s', async (name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const path = name.replace(/\.txt$/, '');
    const wanted = expectations(text);
    expect(await observed(path, text.replaceAll('\n', '\r\n'), wanted)).toEqual(wanted);
  });
});
