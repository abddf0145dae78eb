// From a task in words to the code it needs, on a real repository.
import { afterAll, describe, expect, it } from 'vitest';
import { scratchRepository } from '../../git/testing/scratch-repository.js';
import { loadMeter } from '../../meters/load-meter.js';
import { findCode, foundPieces } from './find-code.js';
import { findRequest } from './find-request.js';
import { isMeant } from './task-signals.js';

const repository = scratchRepository();
afterAll(() => repository.dispose());

const login = [
  'export function checkPassword(user: string, password: string): boolean {',
  "  return user !== '' && password.length > 7;",
  '}',
  '',
  'export function sessionExpired(started: number, now: number): boolean {',
  '  return now - started > 3_600_000;',
  '}',
  '',
].join('\n');
repository.write('src/auth/login.ts', login);
repository.write(
  'src/auth/login.test.ts',
  "import { sessionExpired } from './login';\nsessionExpired(1, 2);\n",
);
repository.write(
  'src/cart/total.ts',
  'export const total = (prices: number[]) => prices.reduce((a, b) => a + b, 0);\n',
);
repository.write('src/cart/shipping.ts', 'export const rate = 5;\n');
repository.write('src/文本.ts', '// 计算运费：超过一百元免费\nexport const free = 100;\n');
repository.write('secrets.ts', "export const storageKey = 'AKIAIOSFODNN7EXAMPLE';\n");
repository.commit('shop');
repository.write('src/cart/shipping.ts', 'export const rate = 6;\n');
repository.commit('Parcels to islands cost more');

const find = (task: string, more: object = {}) =>
  findCode(findRequest.parse({ query: task, ...more }), { folder: repository.folder });

describe('finding code for a task', () => {
  it('puts the file that defines what the task speaks of first, and shows its telling lines [code.find]', async () => {
    const { files, snippets, text } = await find('Session does not expire after an hour');
    expect(files[0]).toMatchObject({ path: 'src/auth/login.ts', why: expect.stringContaining('words') });
    expect(snippets).toContainEqual(expect.objectContaining({ path: 'src/auth/login.ts', startLine: 5 }));
    expect(text).toContain('  return now - started > 3_600_000;');
    const test = files.findIndex(({ path }) => path.endsWith('.test.ts'));
    expect(test).toBeGreaterThan(0);
  });

  it('tells names apart that differ by a digit [code.find]', async () => {
    const named = scratchRepository();
    try {
      for (let at = 0; at < 30; at += 1)
        named.write(`src/${at}.ts`, `export const hash${at} = (text: string) => digest(${at}, text);\n`);
      named.commit('one');
      const found = await findCode(findRequest.parse({ query: 'hash17 is wrong' }), { folder: named.folder });
      expect(found.files[0]).toMatchObject({ path: 'src/17.ts', why: expect.stringContaining('hash17') });
      expect(found.files.slice(1).filter(({ why }) => why.includes('words hash17'))).toEqual([]);
    } finally {
      named.dispose();
    }
  });

  it('shows where a name of the task is defined and used before lines that share parts of it [code.find]', async () => {
    const named = scratchRepository();
    try {
      const near = [...'abcdefghijkl'].flatMap((letter) => [
        `    def get_cookie_${letter}(self, cookie):`,
        '        # What the cookie says, where there is one.',
        '        value = self.cookie',
        '        return value',
        '',
      ]);
      const asked = [
        '    def should_set_cookie(self, app):',
        '        a = app',
        '        b = a',
        '        return b',
        '',
      ];
      const use = [
        '    def save(self, app):',
        '        a = 1',
        '        b = 2',
        '        return self.should_set_cookie(app)',
      ];
      named.write('src/sessions.py', ['class Sessions:', ...near, ...asked, ...near, ...use, ''].join('\n'));
      named.commit('one');
      const look = async (task: string, budget: number) =>
        (
          await findCode(findRequest.parse({ query: task, budget: { tokens: budget } }), {
            folder: named.folder,
          })
        ).text;
      for (const task of ['should_set_cookie', 'The cookie: should_set_cookie says no']) {
        const text = await look(task, 4_000);
        expect(text).toContain('    def should_set_cookie(self, app):');
        expect(text).toContain('        return self.should_set_cookie(app)');
      }
      expect(await look('should_set_cookie', 200)).toContain('def should_set_cookie');
    } finally {
      named.dispose();
    }
  });

  it('reads a stack trace: the named file comes first, with the line', async () => {
    const { files, snippets } = await find(
      'TypeError: x is undefined\n    at total (/app/src/cart/total.ts:1:50)',
    );
    expect(files[0]).toMatchObject({ path: 'src/cart/total.ts', line: 1 });
    expect(snippets[0]).toMatchObject({ path: 'src/cart/total.ts', startLine: 1 });
  });

  it('shows the lines a stack trace names before the names of many other files, however small the budget', async () => {
    const wide = scratchRepository();
    try {
      for (let at = 0; at < 20; at += 1)
        wide.write(`src/parts/invoice-${at}.ts`, `export const invoice${at} = 'invoice of the month';\n`);
      wide.write('src/run.ts', '// run\nexport function run() {\n  return undefined!.invoice;\n}\n');
      wide.write('src/main.ts', '// main\nexport function main() {\n  return run();\n}\n');
      wide.commit('one');
      const task = 'invoice fails\n at run (src/run.ts:3:10)\n at main (src/main.ts:3:10)';
      const options = { folder: wide.folder };
      const small = await findCode(findRequest.parse({ query: task, budget: { tokens: 200 } }), options);
      expect(small.snippets.map(({ path }) => path).sort()).toEqual(['src/main.ts', 'src/run.ts']);
      expect(small.snippets[0]).toMatchObject({ side: 'new', why: 'the task names line 3' });
      const large = await findCode(findRequest.parse({ query: task, budget: { tokens: 4000 } }), options);
      expect(large.snippets.map(({ path }) => path)).toEqual(
        expect.arrayContaining(['src/parts/invoice-0.ts']),
      );
      expect(large.text.match(/^- /gm)).toHaveLength(large.files.length);
      const within = await findCode(findRequest.parse({ query: task, paths: ['src/parts'] }), options);
      expect(within.files.every(({ path }) => path.startsWith('src/parts/'))).toBe(true);
      expect([within.found, within.warnings]).toEqual([20, []]);
      const nowhere = await findCode(findRequest.parse({ query: task, paths: ['src', 'nope'] }), options);
      expect(nowhere.warnings).toMatchObject([
        { code: 'FIND_PATHS_MATCH_NOTHING', details: { unknown: 1, paths: 2 } },
      ]);
    } finally {
      wide.dispose();
    }
  });

  it('does not take a frame of an installed package for a file of its own', () => {
    expect(isMeant('/venv/lib/site-packages/requests/models.py', 'models.py')).toBe(0);
    expect(isMeant('app/node_modules/lib/src/cart/total.ts', 'src/cart/total.ts')).toBe(0);
    expect(isMeant('/venv/lib/site-packages/shop/cart.py', 'src/shop/cart.py')).toBe(1);
    expect(isMeant('/app/src/cart/total.ts', 'src/cart/total.ts')).toBe(1);
  });

  it('knows a file by what commits said when they changed it', async () => {
    const { files } = await find('Parcels to islands');
    expect(files[0]).toMatchObject({
      path: 'src/cart/shipping.ts',
      why: expect.stringContaining('commits that spoke of the same'),
    });
  });

  it('finds Chinese words', async () => {
    expect((await find('运费计算不对')).files[0]?.path).toBe('src/文本.ts');
  });

  it('takes secrets out of what it shows, and says so in the receipt', async () => {
    const { text, receipt } = await find('rotate the storage key in secrets');
    expect(text).toContain('secrets.ts');
    expect(text).not.toContain('AKIAIOSFODNN7EXAMPLE');
    const kinds = receipt.ledger.flatMap(({ finished = {} }) => Object.keys(finished));
    expect(kinds).toEqual([expect.stringMatching(/^secret:/)]);
  });

  it('says honestly that nothing was found', async () => {
    for (const task of ['zzyzx', '的', '!!!'])
      expect(await find(task)).toMatchObject({ files: [], found: 0, snippets: [], text: '' });
  });

  it('names a word as a reason only where it stands, and else the part of it that does', async () => {
    const linked = scratchRepository();
    try {
      linked.write('src/links.py', 'def url_for(endpoint):\n    return endpoint\n');
      linked.write('src/fetch.py', 'def fetch(url):\n    return url\n');
      linked.commit('one');
      const { files } = await findCode(findRequest.parse({ query: 'url_for' }), { folder: linked.folder });
      const reasons = new Map(files.map(({ path, why }) => [path, why.split('; ')]));
      expect(reasons.get('src/links.py')).toContain('words url_for');
      expect(reasons.get('src/fetch.py')).toContain('part of url_for: url');
    } finally {
      linked.dispose();
    }
  });

  it('refuses to look for nothing', async () => {
    for (const task of ['', ' \n\t'])
      await expect(find(task)).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: 'There is no task: give words, an issue or a stack trace.',
      });
  });

  it('keeps to its budget and goes on where it stopped [code.find]', async () => {
    const meter = await loadMeter('o200k_base');
    const { text } = await find('login session password total rate', { budget: { tokens: 200 } });
    expect(meter.weigh(text)).toBeLessThanOrEqual(200);
    const first = await find('login session password total rate', { limit: 1 });
    const second = await find('login session password total rate', { limit: 1, from: first.next });
    expect(first.files).toHaveLength(1);
    expect(second.files[0]?.path).not.toBe(first.files[0]?.path);
  });

  describe('in a long file', () => {
    const ledger = scratchRepository();
    afterAll(() => ledger.dispose());
    const rule = (at: number) =>
      `export function rule${at}(entry: Entry): Entry {\n  if (entry.kind === ${at}) return book(entry, 'row ${at} of the ledger');\n  return entry;\n}\n`;
    const rules = Array.from({ length: 40 }, (_, at) => rule(at));
    ledger.write('src/ledger.ts', rules.join('\n'));
    ledger.commit('ledger');
    const ask = (query: string, tokens: number) =>
      findCode(findRequest.parse({ query, budget: { tokens } }), { folder: ledger.folder });

    it('uses its room for lines, however many parts speak of the task [code.find]', async () => {
      const { snippets } = await ask('rows of the ledger are booked wrong', 8_000);
      expect(snippets.filter(({ path }) => path === 'src/ledger.ts').length).toBeGreaterThan(35);
    });

    it('loses no line to more room, but for those refilled into what was left [code.find]', async () => {
      const shown = new Set<string>();
      for (let tokens = 200; tokens <= 4_000; tokens += 95) {
        const { receipt, snippets } = await ask('rows of the ledger are booked wrong', tokens);
        const here = new Set(snippets.map(({ path, startLine }) => `lines:${path}:${startLine}`));
        expect([...shown].filter((id) => !here.has(id))).toEqual([]);
        for (const { fragment, verdict } of receipt.ledger)
          if (here.has(fragment) && verdict !== 'refilled') shown.add(fragment);
      }
      expect(shown.size).toBeGreaterThan(20);
    });
  });

  it('takes a megabyte of pasted text', async () => {
    const { files } = await find(`sessionExpired is wrong\n${'lorem ipsum dolor '.repeat(55_000)}`);
    expect(files[0]?.path).toBe('src/auth/login.ts');
  });

  it('sees uncommitted work, and not what a named commit does not hold', async () => {
    const dirty = scratchRepository();
    try {
      dirty.write('src/queue.ts', 'export const size = 1;\n');
      dirty.write('src/parcel.ts', 'export const weight = 1;\n');
      dirty.commit('one');
      dirty.write('src/parcel.ts', 'export const weight = 1;\nexport function frobnicateParcel() {}\n');
      dirty.write('src/new.ts', 'export class ZeppelinHarbour {}\n');
      const look = (task: string, more: object = {}) =>
        findCode(findRequest.parse({ query: task, ...more }), { folder: dirty.folder });
      expect((await look('frobnicateParcel')).files[0]?.path).toBe('src/parcel.ts');
      expect((await look('ZeppelinHarbour')).text).toContain('export class ZeppelinHarbour {}');
      expect((await look('ZeppelinHarbour', { at: 'HEAD' })).files).toEqual([]);
    } finally {
      dirty.dispose();
    }
  });

  it('works before the first commit, and in a folder without files', async () => {
    const young = scratchRepository();
    try {
      const look = (task: string) => findCode(findRequest.parse({ query: task }), { folder: young.folder });
      expect(await look('frobnicate')).toMatchObject({ files: [], found: 0, text: '' });
      young.write('src/a.ts', 'export function frobnicate() {}\n');
      expect((await look('frobnicate')).files[0]?.path).toBe('src/a.ts');
    } finally {
      young.dispose();
    }
  });

  it('knows a file too large to be read by its name, and says that it was not read', async () => {
    const large = scratchRepository();
    try {
      large.write('src/frobnicator.ts', `// hidden zeppelin\n${'x'.repeat(700_000)}\n`);
      large.write('src/other.ts', 'export const one = 1;\n');
      large.commit('one');
      const look = (task: string) => findCode(findRequest.parse({ query: task }), { folder: large.folder });
      expect(await look('frobnicator')).toMatchObject({
        files: [{ path: 'src/frobnicator.ts' }],
        snippets: [],
        warnings: [{ code: 'FIND_PARTIAL', details: { left: 1, total: 2 } }],
      });
      expect((await look('zeppelin')).files).toEqual([]);
    } finally {
      large.dispose();
    }
  });

  it('knows a file that moved by what was said before it did', async () => {
    const moving = scratchRepository();
    try {
      moving.write('lib/tariff.ts', 'export const a = 1;\n');
      moving.write('lib/other.ts', 'export const b = 1;\n');
      moving.commit('shop');
      moving.write('lib/tariff.ts', 'export const a = 2;\n');
      moving.commit('Islands are dearer');
      moving.write('packages/shop/lib/tariff.ts', 'export const a = 2;\n');
      moving.git('rm', '-q', '-f', 'lib/tariff.ts');
      moving.commit('move');
      const { files } = await findCode(findRequest.parse({ query: 'islands' }), { folder: moving.folder });
      expect(files[0]?.path).toBe('packages/shop/lib/tariff.ts');
    } finally {
      moving.dispose();
    }
  });

  it('takes nothing for changed of what a shallow clone merely begins with', async () => {
    const whole = scratchRepository();
    const shallow = scratchRepository();
    try {
      for (const text of ['1', '2']) {
        whole.write('src/login.ts', `export const login = ${text};\n`);
        whole.commit('login');
      }
      shallow.git('fetch', '-q', '--depth', '1', `file://${whole.folder}`, 'HEAD');
      shallow.git('reset', '-q', '--hard', 'FETCH_HEAD');
      const { files } = await findCode(findRequest.parse({ query: 'login' }), { folder: shallow.folder });
      expect(files.map(({ path }) => path)).toEqual(['src/login.ts']);
      expect(files[0]?.why).not.toMatch(/lately|commits/);
    } finally {
      whole.dispose();
      shallow.dispose();
    }
  });

  it('gives its text in parts that are the whole of it', async () => {
    const found = await find('运费计算 session password 文本');
    const pieces = foundPieces(found);
    expect(pieces.length).toBe(found.snippets.length + 1);
    expect(pieces.join('\n\n')).toBe(found.text);
    expect(pieces[0]).toContain('Files, most likely first:');
    expect(foundPieces(await find('zzyzx'))).toEqual([]);
  });

  it('gives the same bytes for the same question', async () => {
    expect(await find('password check')).toEqual(await find('password check'));
  });
});
