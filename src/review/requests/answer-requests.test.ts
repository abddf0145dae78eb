import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScratchRepository, scratchRepository } from '../../git/testing/scratch-repository.js';
import { reviewRequest } from '../change/review-request.js';
import { reviewBundles } from '../context/review-bundles.js';
import { reviewPlan } from '../plan/plan-review.js';

let repository: ScratchRepository;

beforeAll(() => {
  repository = scratchRepository();
  const users = Array.from(
    { length: 10 },
    (_, n) => `export function own${n}() {\n  return rate(${n});\n}\n`,
  );
  const home = (result: string) =>
    `export function rate(n: number) {\n  return ${result};\n}\n\n${users.join('\n')}`;
  repository.write('src/rate.ts', home('n'));
  for (const name of ['cart', 'bill', 'quote'])
    repository.write(
      `src/${name}.ts`,
      `import { rate } from './rate';\n\nexport function ${name}() {\n  return rate(1);\n}\n`,
    );
  for (const folder of ['examples', 'zoo'])
    repository.write(
      `${folder}/visit.ts`,
      `import { rate } from '../src/rate';\n\nexport function visit() {\n  return rate(2);\n}\n`,
    );
  repository.commit('rates');
  repository.write('src/rate.ts', home('n + 1'));
  repository.commit('dearer');
});
afterAll(() => repository.dispose());

describe('answers to requests', () => {
  it('show callers in other files first, and a symbol asked for in two ways once [R10]', async () => {
    const ask = (over: object = {}) =>
      reviewBundles(reviewRequest.parse({ repo: repository.folder, mode: 'commit', ...over }), {
        folder: '/',
      });
    const unit = (await ask()).bundles[0]!;
    const extra_requests = [{ type: 'callers' }, { type: 'search_callers', details: 'rate' }];
    const plan = [{ unit_id: unit.unit_id, llm_context_level: 'function', extra_requests }];
    const { bundles } = await ask({ llm_plan: { plan } });
    const { callers, requests } = bundles[0]!;
    expect(callers.slice(0, 5).map(({ path }) => path)).toEqual([
      'src/bill.ts',
      'src/cart.ts',
      'src/quote.ts',
      'zoo/visit.ts',
      'examples/visit.ts',
    ]);
    const places = callers.map(({ path, line }) => `${path}:${line}`);
    expect(new Set(places).size).toBe(places.length);
    // The other five callers, and the five imports that only a search for uses finds.
    expect(requests.map(({ shown }) => shown)).toEqual([10, 10]);
  });

  /** What the plan's own request for callers finds once `home` has changed. */
  async function callersAfter(files: Record<string, string>, home: string, changed: string) {
    for (const [path, text] of Object.entries(files)) repository.write(path, text);
    repository.commit('before');
    repository.write(home, changed);
    repository.commit('after');
    const { bundles } = await reviewBundles(
      reviewRequest.parse({ repo: repository.folder, mode: 'commit' }),
      { folder: '/' },
    );
    return bundles.flatMap(({ callers }) =>
      callers.map(({ path, line, certainty }) => `${path}:${line}${certainty === 'certain' ? '' : '?'}`),
    );
  }

  const common = (params: string) => `exports.setMark = function setMark(${params}) {
  return type;
};

exports.other = function other(x) {
  return x;
};
`;
  const users: Record<string, [text: string, line: number | undefined]> = {
    member: [
      `var setMark = require('./marks').setMark;\n\nfunction send(t) {\n  return setMark(t, 'a');\n}\n`,
      4,
    ],
    module: [`var marks = require('./marks');\n\nexports.setMark = (t) => marks.setMark(t, 'a');\n`, 3],
    unpacked: [
      `const { other, setMark } = require('./marks');\n\nmodule.exports = () => setMark(1, 'a');\n`,
      3,
    ],
    renamed: [`const { setMark: mark } = require('./marks');\n\nmodule.exports = () => mark(1, 'a');\n`, 3],
    given: [`const mark = require('./marks').setMark;\n\nmodule.exports = () => mark(1, 'a');\n`, 3],
    taken: [
      `const marks = require('./marks');\nconst setMark = marks.setMark;\n\nmodule.exports = () => setMark(1, 'a');\n`,
      4,
    ],
    inline: [`module.exports = () => [\n  require('./marks').setMark(1, 'a'),\n];\n`, 2],
    bound: [`const made = require('./marks').setMark(1, 'a');\n\nmodule.exports = made;\n`, 1],
    script: [`import { setMark as mark } from './marks.js';\n\nexport const made = () => mark(1, 'a');\n`, 3],
    foreign: [
      `const { other } = require('./marks');\n\nmodule.exports = (res) => res.setMark(other(1));\n`,
      undefined,
    ],
    own: [`function setMark() {}\n\nmodule.exports = () => setMark(1, 'a');\n`, undefined],
  };

  it.each([
    ['exports', common],
    ['module.exports', (params: string) => common(params).replaceAll('exports.', 'module.exports.')],
    [
      'an object',
      (params: string) =>
        `${common(params).replace('exports.setMark = ', '').replace('exports.other = ', '').replaceAll('};', '}')}\nmodule.exports = { other, setMark };\n`,
    ],
  ])('find every call of what CommonJS hands out by %s', async (_, home) => {
    const files = Object.fromEntries(Object.entries(users).map(([name, [text]]) => [`lib/${name}.js`, text]));
    const found = await callersAfter(
      { ...files, 'lib/marks.js': home('type, mark') },
      'lib/marks.js',
      home('type, mark, strict'),
    );
    const expected = Object.entries(users).flatMap(([name, [, line]]) =>
      line === undefined ? [] : [`lib/${name}.js:${line}`],
    );
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  it('take a member of something else for no call of a plain function', async () => {
    const script = (params: string) => `const fs = require('fs');
const marks = require('./marks');

function encode(${params}) {
  return JSON.encode(value) + fs.encode(value);
}

module.exports.one = (api) => {
  return api.encode(marks.encode(1));
};

module.exports.two = function two() {
  return this.encode(1);
};

module.exports.three = () => [...encode(1)];
`;
    expect(
      await callersAfter({ 'lib/text.js': script('value') }, 'lib/text.js', script('value, deep')),
    ).toEqual(['lib/text.js:13', 'lib/text.js:16']);
    const alone = (params: string) =>
      `export function digest(${params}) {\n  return value;\n}\n\nexport const use = (api) => [\n  api.digest(1),\n  JSON.digest(1),\n];\n`;
    expect(
      await callersAfter({ 'lib/digest.js': alone('value') }, 'lib/digest.js', alone('value, deep')),
    ).toEqual(['lib/digest.js:6?']);
    const python = (params: string) =>
      `import json\n\n\ndef dumps(${params}):\n    return json.dumps(value)\n\n\ndef both():\n    return json.dumps(1)\n\n\ndef use():\n    return dumps(1)\n`;
    expect(
      await callersAfter({ 'lib/dump.py': python('value') }, 'lib/dump.py', python('value, deep')),
    ).toEqual(['lib/dump.py:13']);
    const go = (params: string) =>
      `package text\n\nimport "encoding/json"\n\nfunc Marshal(${params}) ([]byte, error) {\n\treturn json.Marshal(value)\n}\n\nfunc both() {\n\tjson.Marshal(1)\n}\n`;
    const user = `package main\n\nimport "example.com/x/text"\n\nfunc main() {\n\ttext.Marshal(1)\n}\n`;
    expect(
      await callersAfter(
        { 'text/text.go': go('value any'), 'main.go': user },
        'text/text.go',
        go('value any, deep bool'),
      ),
    ).toEqual(['main.go:6']);
  });

  it('show who still imports a moved file by its old path, and nothing once all import the new one', async () => {
    const files = {
      'lib/words.js': 'exports.word = (x) => x;\n',
      'lib/speech.js': `const { word } = require('./words');\n\nexports.say = () => word(1);\n`,
      'lib/mute.js': `// once require('./words')\nexports.words = 'words';\n`,
      'lib/deep/words.js': `exports.word = require('./other');\n`,
      'test/speech.js': `it('says', () => {\n  expect(require('../lib/words.js').word(1)).toBe(1);\n});\n`,
      'pack/__init__.py': 'from . import hooks\n',
      'pack/hooks.py': 'def run(x):\n    return x\n',
      'pack/core.py': 'import os\n\nfrom .hooks import run\nfrom os import hooks\n',
    };
    for (const [path, text] of Object.entries(files)) repository.write(path, text);
    repository.commit('before');
    repository.git('mv', 'lib/words.js', 'lib/vocabulary.js');
    repository.git('mv', 'pack/hooks.py', 'pack/catches.py');
    repository.commit('moves');
    const request = reviewRequest.parse({ repo: repository.folder, mode: 'commit' });
    const seen = (await reviewBundles(request, { folder: '/' })).bundles.map(({ meta, snippets }) => ({
      path: meta.file_path,
      places: snippets.map(({ path, startLine, why }) => `${path}:${startLine} ${why}`),
    }));
    expect(seen).toEqual([
      {
        path: 'lib/vocabulary.js',
        places: [
          'lib/speech.js:1 still imports lib/words.js, which moved',
          'test/speech.js:2 still imports lib/words.js, which moved',
        ],
      },
      {
        path: 'pack/catches.py',
        places: [
          'pack/__init__.py:1 still imports pack/hooks.py, which moved',
          'pack/core.py:3 still imports pack/hooks.py, which moved',
        ],
      },
    ]);
    const judged = async (skip: readonly string[] = []) => {
      const plan = skip.map((unit_id) => ({ unit_id, skip_review: true }));
      const asked = { ...request, ...(skip.length === 0 ? {} : { llm_plan: { plan } }) };
      const { planner_index, plan: rows } = await reviewPlan(asked, { folder: '/' });
      return {
        ids: rows.map(({ unit_id }) => unit_id),
        rows,
        tags: planner_index.units.flatMap(({ tags }) => tags),
      };
    };
    const { ids, tags } = await judged();
    expect(tags).toEqual(['stale_imports', 'stale_imports']);
    expect((await judged(ids)).rows.map(({ reason }) => reason)).toEqual(
      ids.map(() => 'high_risk_cannot_skip'),
    );

    repository.git('mv', 'lib/vocabulary.js', 'lib/terms.js');
    repository.write('lib/speech.js', files['lib/speech.js'].replace('words', 'terms'));
    repository.write('test/speech.js', files['test/speech.js'].replace('words.js', 'terms'));
    repository.commit('moves along');
    const along = await judged();
    expect(along.tags).toContain('rename_only');
    expect(along.tags).not.toContain('stale_imports');
  });

  it('tell who reads a setting, not where its key is a word like others', async () => {
    const files = {
      'conf/app.yaml': 'timeout: 3\nmax_pages: 5\nhash: md5\n',
      'src/wait.py': `def wait(config):\n    timeout = 4\n    return config.timeout\n`,
      'src/hash.py': 'def hash(text):\n    hash = text\n    return hash\n',
      'src/pages.py': `import os\n\nlimit = os.environ.get("MAX_PAGES")\n`,
      'src/more_pages.py': 'def pages(max_pages):\n    return max_pages\n',
      'src/said.py': '# max_pages is read elsewhere\n',
      'README.md': 'Set `timeout` and "max_pages".\n',
      'uv.lock': 'hash = "timeout"\nmax_pages = "hash"\n',
      '.github/workflows/ci.yaml': 'outputs:\n  max_pages: 1\n  DEPLOY_TARGET: a\n',
      'deploy/target.sh': 'echo "$DEPLOY_TARGET" "$max_pages"\n',
    };
    for (const [path, text] of Object.entries(files)) repository.write(path, text);
    repository.commit('before');
    repository.write('conf/app.yaml', 'timeout: 30\nmax_pages: 50\nhash: sha256\n');
    repository.write('.github/workflows/ci.yaml', 'outputs:\n  max_pages: 2\n  DEPLOY_TARGET: b\n');
    repository.commit('after');
    const { bundles } = await reviewBundles(
      reviewRequest.parse({ repo: repository.folder, mode: 'commit' }),
      { folder: '/' },
    );
    const found = bundles.flatMap(({ meta, search_results }) =>
      search_results.map(
        ({ subject, path, line, certainty }) =>
          `${meta.file_path} ${subject} ${path}:${line}${certainty === 'certain' ? '' : '?'}`,
      ),
    );
    expect(found.toSorted()).toEqual([
      '.github/workflows/ci.yaml DEPLOY_TARGET deploy/target.sh:1',
      'conf/app.yaml max_pages deploy/target.sh:1',
      'conf/app.yaml max_pages src/pages.py:3',
      'conf/app.yaml timeout src/wait.py:3',
    ]);
    const notes = bundles.flatMap(({ requests }) => requests.map(({ subject, note }) => [subject, note]));
    expect(notes).toContainEqual(['hash', 'Nothing found.']);
  });
});
