import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it } from 'vitest';
import { type ScratchRepository, scratchRepository } from '../../git/testing/scratch-repository.js';
import { reviewChunks } from '../pages/page-set.js';
import { parseConfig, reviewConfigSchema } from './review-config.js';
import { reviewRequest } from './review-request.js';

describe('the configuration file', () => {
  it('reads JSON and YAML alike', async () => {
    const expected = { maxChunkTokens: 500, ignore: ['*.snap'] };
    expect(
      await parseConfig('galley.config.json', '\ufeff{"maxChunkTokens":500,"ignore":["*.snap"]}'),
    ).toEqual(expected);
    expect(await parseConfig('galley.config.yaml', 'maxChunkTokens: 500\nignore:\n  - "*.snap"\n')).toEqual(
      expected,
    );
    expect(await parseConfig('galley.config.yaml', '')).toEqual({});
  });

  it.each([
    ['galley.config.json', '{"maxChunkTokns":1}', 'did you mean "maxChunkTokens"'],
    ['galley.config.json', '{"zzz":1}', '"zzz" is not a known key.'],
    ['galley.config.yaml', 'ignor: []\n', 'did you mean "ignore"'],
    ['galley.config.json', '{"maxPages":"two"}', 'maxPages'],
    ['galley.config.json', '{', 'not valid JSON'],
    ['galley.config.yaml', 'a: [', 'not valid YAML'],
    ['galley.config.yaml', 'ignore: &a [x]\nrules: *a\n', 'aliases'],
  ])('refuses %s with %s', async (name, text, words) => {
    await expect(parseConfig(name, text)).rejects.toThrowError(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining(words) }),
    );
  });

  it('has a schema that editors can use', () => {
    const validate = new Ajv2020({ strict: false }).compile(reviewConfigSchema() as object);
    expect(validate({ maxPages: 3, ignore: ['a'] })).toBe(true);
    expect(validate({ maxPagse: 3 })).toBe(false);
  });
});

describe('the configuration of a pull request', () => {
  const repository: ScratchRepository = scratchRepository();
  afterAll(() => repository.dispose());

  it('is that of its base, and the caller has the last word', async () => {
    repository.write('galley.config.json', '{"maxChunkTokens":60,"ignore":["b.txt"]}');
    repository.write('a.txt', '');
    repository.commit('before');
    repository.git('checkout', '-q', '-b', 'topic');
    repository.write('galley.config.json', '{"ignore":["*"]}');
    repository.write('a.txt', 'line of words\n'.repeat(30));
    repository.write('b.txt', 'b\n');
    repository.commit('after');
    const ask = (extra: object) =>
      reviewChunks(reviewRequest.parse({ mode: 'pr', base: 'main', meter: 'chars/4', ...extra }), {
        folder: repository.folder,
      });
    const { chunks, omitted } = await ask({});
    expect(omitted.map(({ path, rule }) => [path, rule])).toEqual([['b.txt', 'project']]);
    expect(chunks.length).toBeGreaterThan(1);
    expect((await ask({ maxChunkTokens: 5000 })).chunks).toHaveLength(1);
  });
});
