// The acceptance criteria of context injection and chunking, with the rule of thumb and with the default tokenizer.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { amountOf } from '../../src/core/model/meter.js';
import { type ScratchRepository, scratchRepository } from '../../src/git/testing/scratch-repository.js';
import { loadMeter } from '../../src/meters/load-meter.js';
import { reviewRequest } from '../../src/review/change/review-request.js';
import { reviewChunks } from '../../src/review/pages/page-set.js';

const skill = '---\nname: review\ndescription: Reviews a change.\n---\nName every defect with its line.\n';
const meters = ['chars/4', 'o200k_base'] as const;

function codeOf(name: string, lines: number): string {
  return Array.from(
    { length: lines },
    (_, line) => `export const ${name}${line} = compute(${line}, "${name}", input.values[${line % 17}]);\n`,
  ).join('');
}

describe.each(meters)('acceptance with %s', (meter) => {
  let repository: ScratchRepository;
  const chunksOf = (extra: object = {}) =>
    reviewChunks(
      reviewRequest.parse({
        repo: repository.folder,
        mode: 'pr',
        base: 'main',
        head: 'topic',
        meter,
        skill: 'SKILL.md',
        ...extra,
      }),
      { folder: repository.folder },
    );

  beforeAll(() => {
    repository = scratchRepository();
    repository.write('CLAUDE.md', 'Prefer small functions.\n');
    repository.write('SKILL.md', skill);
    repository.write('main.go', 'package main\n');
    repository.commit('base');
    repository.git('checkout', '-q', '-b', 'topic');
  });
  afterAll(() => repository.dispose());

  it('sends main.go and not the lockfile of five thousand lines [accept.000.1]', async () => {
    repository.write('main.go', `package main\n${codeOf('go', 10)}`);
    repository.write('pnpm-lock.yaml', codeOf('lock', 5000));
    repository.commit('main and lock');
    const { chunks, omitted, coverage } = await chunksOf();
    expect(chunks.map(({ files }) => files)).toEqual([['main.go']]);
    expect(chunks[0]?.text).not.toContain('pnpm-lock');
    expect(omitted).toEqual([
      { path: 'pnpm-lock.yaml', reason: 'lockfile', rule: 'lockfile', added: 5000, removed: 0 },
    ]);
    expect(coverage).toContain('lockfile');
  });

  it('makes one chunk of a diff below the limit [accept.000.2]', async () => {
    const { chunks } = await chunksOf();
    expect(chunks).toHaveLength(1);
    expect(
      chunks[0]?.text.startsWith('# Context Chunk 1/1\n\n## Project Rules\nPrefer small functions.\n\n'),
    ).toBe(true);
    expect(chunks[0]?.text).toContain(
      '\n\n## Instructions\nName every defect with its line.\n\n## Code Changes\ndiff --git a/main.go b/main.go\n',
    );
  });

  it('makes two chunks of 50,000 tokens at a limit of 32,000, whole files, skill in both [accept.000.3]', async () => {
    const weigher = await loadMeter(meter);
    const perFile = amountOf(
      weigher,
      weigher.weigh(codeOf('part00_', 100).replaceAll('export', '+export')),
    ).n;
    const files = Math.floor(50_000 / (perFile + 60));
    for (let file = 0; file < files; file += 1)
      repository.write(
        `src/part${String(file).padStart(2, '0')}.ts`,
        codeOf(`part${String(file).padStart(2, '0')}_`, 100),
      );
    repository.commit('fifty thousand');
    const { chunks } = await chunksOf({ maxChunkTokens: 32_000 });
    const diff = chunks.reduce((sum, chunk) => sum + chunk.diffTokens, 0);
    expect(diff).toBeGreaterThan(45_000);
    expect(diff).toBeLessThan(53_000);
    expect(chunks).toHaveLength(2);
    const seen = new Map<string, number>();
    for (const { text, diffTokens, tokens, files: own } of chunks) {
      expect(text).toContain('## Instructions\nName every defect with its line.');
      expect(diffTokens).toBeLessThanOrEqual(32_000);
      expect(tokens).toBe(amountOf(weigher, weigher.weigh(text)).n);
      const code = text.slice(text.indexOf('## Code Changes\n') + '## Code Changes\n'.length);
      expect(amountOf(weigher, weigher.weigh(code)).n).toBe(diffTokens);
      for (const file of own) seen.set(file, (seen.get(file) ?? 0) + 1);
    }
    expect([...seen.values()].every((times) => times === 1)).toBe(true);
    expect(seen.size).toBe(files + 1);
    for (const { text, files: own } of chunks)
      for (const file of own.filter((path) => path.startsWith('src/')))
        expect(text.split(file.slice(4, 10)).length).toBeGreaterThan(100);
  });

  it('gives the same sequence of chunks for the same diff [accept.000.4]', async () => {
    const first = await chunksOf();
    writeFileSync(join(repository.folder, '.git', 'config'), '[diff]\n\tnoprefix = true\n\tcontext = 9\n', {
      flag: 'a',
    });
    const second = await chunksOf();
    expect(JSON.stringify(second)).toBe(JSON.stringify(first));
  });
});
