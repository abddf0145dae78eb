// Every call to a source fails once, hangs once, lies once: afterwards there is a prompt with a warning or a declared refusal.
import { describe, expect, it } from 'vitest';
import { assemble } from '../../src/core/assemble.js';
import { GalleyError, isGalleyError } from '../../src/core/model/error.js';
import type { Fragment, Need, Source } from '../../src/core/model/fragment.js';
import type { Deadline } from '../../src/core/model/press.js';
import { hashText } from '../../src/meters/content-hash.js';
import { bytesMeter } from '../../src/meters/plain-meters.js';

const scope = { project: 'p' };
const names = ['rules', 'memory', 'search'];
const fragmentOf = (source: string, project = 'p'): Fragment => ({
  id: `${source}:1`,
  source,
  scope: { project },
  layer: 'all',
  section: 'all',
  rank: 1,
  position: names.indexOf(source),
  levels: [{ name: 'whole', body: `text of ${source} in ${project}` }],
});
const press = {
  recipe: {
    id: 'test',
    version: 1,
    overflow: 'concede',
    layers: [{ id: 'all', keep: 'highest-rank', yieldOrder: 1 }],
    sections: [{ id: 'all', channel: 'prompt' }],
  },
  dialect: {
    id: 'test',
    version: 1,
    apart: '\n\n',
    section: () => ({ heading: '', between: '\n' }),
    word: String,
  },
  meter: bytesMeter,
  hash: hashText,
} as const;
const deadline: Deadline = async (limitMs, signal, work) => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new GalleyError('TIMEOUT', 'late')), limitMs);
  });
  return Promise.race([work(signal), late]).finally(() => clearTimeout(timer));
};

const faults: Record<string, (source: string) => Promise<readonly Fragment[]>> = {
  fails: () => Promise.reject(new Error('SECRET')),
  hangs: () => new Promise(() => {}),
  'answers twice': async (source) => [fragmentOf(source), fragmentOf(source)],
  'lies about numbers': async (source) => [{ ...fragmentOf(source), rank: Number.NaN }],
  'hands out foreign text': async (source) => [fragmentOf(source, 'other')],
};

async function run(faulty: number, fault: (source: string) => Promise<readonly Fragment[]>) {
  const sources = names.map(
    (id, index): Source => ({
      id,
      timeLimitMs: 20,
      outage: { code: `${id.toUpperCase()}_UNAVAILABLE`, message: 'away' },
      gather: () => (index === faulty ? fault(id) : Promise.resolve([fragmentOf(id)])),
    }),
  );
  const needs = names.map((source): Need => ({ source, query: {}, askedBy: 'test' }));
  const order = { scope, budget: { limit: { unit: 'bytes' as const, n: 10_000 } } };
  return assemble(press, order, { needs, sources, deadline, signal: new AbortController().signal });
}

describe('failure sweep over sources', () => {
  for (const [name, fault] of Object.entries(faults)) {
    for (const [index, source] of names.entries()) {
      it(`survives when source "${source}" ${name}`, async () => {
        try {
          const { prompt, receipt } = await run(index, fault);
          const text = prompt.pages[0]?.parts[0]?.text ?? '';
          for (const other of names) if (other !== source) expect(text).toContain(`text of ${other}`);
          expect(text).not.toContain('in other');
          if (name === 'answers twice')
            expect(receipt.ledger.map(({ verdict }) => verdict)).toContain('duplicate');
          else expect(receipt.warnings).toHaveLength(1);
          expect(JSON.stringify(receipt)).not.toMatch(/SECRET|text of/);
        } catch (error) {
          if (!isGalleyError(error)) throw error;
          expect([name, error.code]).toEqual(['hands out foreign text', 'CONTEXT_SCOPE_VIOLATION']);
          expect(JSON.stringify(error)).not.toContain('text of');
        }
      });
    }
  }
});
