import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { errorTable } from '../../../core/model/error.js';
import { operationIds } from '../../../operations/table.js';
import { commandNames } from '../commands/commands.js';
import { warningText } from '../terminal/explain-receipt.js';
import { en } from './en.js';
import { enHelp } from './en-help.js';
import { askedLanguage } from './language.js';
import { counted, factWords, refusalWords, speak, word } from './word.js';
import { zh } from './zh.js';
import { zhOperations } from './zh-facts.js';
import { zhHelp } from './zh-help.js';
import { zhRefusals } from './zh-refusals.js';

const english: Record<string, string> = { ...en, ...enHelp };
const chinese: Record<string, string> = { ...zh, ...zhHelp };
const slots = (text = '') => [...text.matchAll(/\{([a-z]+)\}/g)].map(([, name]) => name).sort();

afterEach(() => speak('en'));

describe('the catalogues', () => {
  it('have the same keys, and the same places to fill in each', () => {
    expect(Object.keys(chinese)).toEqual(Object.keys(english));
    for (const key of Object.keys(english))
      expect([key, slots(chinese[key])]).toEqual([key, slots(english[key])]);
  });

  it('are Chinese where they are Chinese: no English sentence slipped in', () => {
    const english = Object.entries(chinese).filter(([, text]) =>
      /[a-z]{2,} [a-z]{2,} [a-z]{2,} [a-z]{2,}/.test(text),
    );
    expect(english).toEqual([]);
    const mixed = Object.entries(chinese).filter(([, text]) =>
      /\p{sc=Han}[,;:!?]|[,;:!?]\p{sc=Han}/u.test(text),
    );
    expect(mixed).toEqual([]);
  });

  it('hold no word that nobody says', () => {
    const folder = 'src/surfaces/cli';
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !/^words\/(?:en|zh)/.test(name))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n');
    const beginnings = [...sources.matchAll(/word\(\s*`([a-z.-]+)\$\{/g)].map(([, start]) => start ?? '');
    const abouts = new Set(commandNames.map((name) => `${name}.about`));
    const unsaid = Object.keys(english).filter(
      (key) =>
        !sources.includes(`'${key}'`) &&
        !beginnings.some((start) => key.startsWith(start)) &&
        !abouts.has(key),
    );
    expect(unsaid).toEqual([]);
  });

  it('have every refusal of agents in Chinese, as far as it is worded where it happens', () => {
    const files = [
      'src/agents',
      'src/models/cli',
      'src/models/other-agents',
      'src/surfaces/cli/agent',
    ].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
        .map((name) => join(folder, name)),
    );
    const sentences = files.flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(
        /new GalleyError\(\s*'[A-Z_]+',\s*(?:(?!\w+\().)*?(?:'([^']+)'|`([^`]+)`)/gs,
      ),
    ]);
    expect(sentences.length).toBeGreaterThan(60);
    // Of a few, only the frame stands there.
    const worded = sentences
      .map(([, plain, filled = '']) => plain ?? filled)
      .filter((text) => /[a-z]{2,} [a-z]{2,}/.test(text));
    const isKnown = (text: string) => zhRefusals.some(([form]) => form.test(text));
    const fillings = ['1', ''].map((filling) => (text: string) => text.replaceAll(/\$\{[^}]*\}/g, filling));
    expect(worded.filter((text) => !fillings.some((fill) => isKnown(fill(text))))).toEqual([]);
  });

  it('have every refusal of PostgreSQL in Chinese', () => {
    const source = readFileSync('src/store/postgres/refusals.ts', 'utf8');
    const sentences = [...source.matchAll(/'([A-Z][^'\n]+[.])'/g)].map(([, text = '']) => text);
    expect(sentences.length).toBeGreaterThan(15);
    expect(sentences.filter((text) => !zhRefusals.some(([form]) => form.test(text)))).toEqual([]);
  });

  it.each([
    ['The database is not encoded in UTF-8; make one with createdb --encoding=UTF8 --template=template0.'],
    ['A webhook secret must have at least 16 characters; set GALLEY_WEBHOOK_SECRET or X to a longer one.'],
    ['The process that ran this job ended 8 times before the job did; repeat it once the reason is mended.'],
    ['The store is damaged; restore its file from a copy or name another one.'],
    ['Port 80 is taken; choose another with --port (0 for a free one), or end what listens there.'],
    ['--base: names no commit here; did you mean "main"?'],
    ['--context: must be a whole number, 1 or more, or plan or none.'],
    ['--lang: must be one of en, zh.'],
    ['No page of 1 was reviewed: The endpoint in GALLEY_BASE_URL did not begin to answer in time.'],
    ['No page of 2 was reviewed: no answer could be read; try a model that keeps to a form.'],
  ])('have in Chinese, and in nothing else: %s', async (sentence) => {
    await speak('zh');
    expect(refusalWords(sentence)).toMatch(/\p{sc=Han}/u);
    expect(refusalWords(sentence)).not.toMatch(/[a-z]{2,} [a-z]{2,} [a-z]{2,}/);
  });

  it('word no refusal twice, since only the first would be said', () => {
    const forms = zhRefusals.map(([form]) => form.source);
    expect(forms.filter((form, at) => forms.indexOf(form) !== at)).toEqual([]);
  });

  it('know a next step for every refusal', () => {
    for (const code of Object.keys(errorTable)) expect(chinese[`next.${code}`]).toMatch(/\p{sc=Han}/u);
  });

  it('say in Chinese what every operation does', () => {
    expect(Object.keys(zhOperations).sort()).toEqual(operationIds.map((id) => `operation.${id}`).sort());
    for (const text of Object.values(zhOperations)) expect(text).toMatch(/\p{sc=Han}.*。$/u);
  });
});

describe('saying something', () => {
  it('fills places in the chosen language, and passes on what it has no words for', async () => {
    expect(word('review.left-out', { n: 3 })).toBe('Left out (3)');
    expect([counted(1, 'page'), counted(2, 'page')]).toEqual(['1 page', '2 pages']);
    expect(factWords('omission.lockfile', 'lockfile')).toBe('lockfile');
    await speak('zh');
    expect(word('review.left-out', { n: 3 })).toBe('舍弃（3）');
    expect([counted(1, 'page'), counted(2, 'page')]).toEqual(['1 页', '2 页']);
    expect(factWords('omission.lockfile', 'lockfile')).toBe('锁文件');
    expect(factWords('omission.constructor', 'as it came')).toBe('as it came');
    const warning = { code: 'CONTENT_NOT_IN_CLONE', message: '3 files are missing.' };
    expect(warningText(warning)).toBe('部分克隆中缺少一些内容。（3 files are missing.）');
    expect(warningText({ code: 'OTHER', message: 'As it came.' })).toBe('As it came.');
  });
});

describe('the language', () => {
  it.each([
    [[], {}, 'en'],
    [[], { LANG: 'zh_CN.UTF-8' }, 'zh'],
    [[], { LANG: 'zh_CN.UTF-8', LC_ALL: 'C' }, 'en'],
    [[], { LANG: 'en_US.UTF-8', LC_MESSAGES: 'zh_TW' }, 'zh'],
    [[], { LANG: 'zha_CN' }, 'en'],
    [['--lang', 'zh'], { LC_ALL: 'C' }, 'zh'],
    [['review', '--lang=en'], { LANG: 'zh' }, 'en'],
    [['--lang', 'zh-Hans'], {}, 'zh'],
  ])('of %j under %j is %s', (argv, env, language) => {
    expect(askedLanguage(argv, env).language).toBe(language);
  });

  it('is taken out of the command line wherever it stands, but not behind --', () => {
    expect(askedLanguage(['review', '--lang', 'zh', '--json'], {}).args).toEqual(['review', '--json']);
    expect(askedLanguage(['call', '--', '--lang', 'x'], {}).args).toEqual(['call', '--', '--lang', 'x']);
  });

  it.each([['fr'], [''], [undefined]])('%j is refused', (wish) => {
    const argv = wish === undefined ? ['--lang'] : ['--lang', wish];
    expect(() => askedLanguage(argv, {})).toThrowError(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });
});
