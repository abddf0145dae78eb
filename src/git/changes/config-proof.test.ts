import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countLines } from '../patch/count-lines.js';
import { streamPatches } from '../patch/stream-patches.js';
import { writePatch } from '../patch/write-patch.js';
import { openRepository } from '../repository/open-repository.js';
import { type ScratchRepository, scratchFolder, scratchRepository } from '../testing/scratch-repository.js';
import { type ChangeRequest, readChangeSet } from './read-change-set.js';

let repository: ScratchRepository;
let home: string;
let program: string;
const calm: string[] = [];
const saved = { ...process.env };

const requests: ChangeRequest[] = [
  { mode: 'pr', base: 'main', head: 'feature' },
  { mode: 'commit', commit: 'feature' },
  { mode: 'staged' },
  { mode: 'working' },
];

beforeAll(async () => {
  repository = scratchRepository();
  home = scratchFolder();
  program = join(home, 'foreign');
  writeFileSync(program, `#!/bin/sh\necho ran >> '${home}/ran'\necho foreign\n`);
  chmodSync(program, 0o755);
  const long = (word: string) => Array.from({ length: 60 }, (_, line) => `${word} ${line}\n`).join('');
  repository.write('.gitattributes', '*.odd diff=odd\n*.py diff=python\n');
  repository.write('folder/deep/file.txt', long('word'));
  repository.write('blank.txt', 'a\n\nb\n\nc\n');
  repository.write('old name.txt', long('name'));
  repository.write('text.odd', long('odd'));
  repository.write('code.py', `def first():\n${long('    x')}`);
  repository.write('naïve.txt', 'one\n');
  repository.commit('start');
  repository.git('checkout', '-q', '-b', 'feature');
  repository.write(
    'folder/deep/file.txt',
    long('word').replace('word 5\n', 'word five\n').replace('word 16\n', '  word 16  \n'),
  );
  repository.write('blank.txt', 'a\n\nB\n\nc\n');
  repository.git('mv', 'old name.txt', 'new name.txt');
  repository.write('new name.txt', long('name').replace('name 9\n', 'name nine\n'));
  repository.write('text.odd', long('odd').replace('odd 30\n', 'even 30\n'));
  repository.write('code.py', `def first():\n${long('    x').replace('x 40\n', 'y 40\n')}`);
  repository.write('naïve.txt', 'two\n');
  repository.write('added.txt', 'added\n');
  repository.raw(['update-index', '--add', '--cacheinfo', `160000,${'5'.repeat(40)},module`]);
  repository.commit('feature');
  repository.write('staged.txt', 'staged\n');
  repository.git('add', 'staged.txt');
  repository.write('untracked.txt', 'untracked\n');
  repository.write('blank.txt', 'a\n\nB\n\nd\n');
  for (const request of requests) calm.push(await everything(repository.folder, request));
});

afterAll(() => {
  restore();
  repository?.dispose();
  rmSync(home, { recursive: true, force: true });
});

function restore(): void {
  for (const name of Object.keys(process.env)) if (!(name in saved)) delete process.env[name];
  Object.assign(process.env, saved);
}

/** All that can be seen of a change set, as one text. */
async function everything(folder: string, request: ChangeRequest): Promise<string> {
  const handle = await openRepository(folder);
  try {
    const set = await readChangeSet(handle, request);
    const patches: string[] = [];
    for await (const patch of streamPatches(handle, set.entries))
      patches.push(writePatch(patch).toString('latin1'));
    const counts = await countLines(handle, set.entries);
    return JSON.stringify([set, patches, [...counts]]);
  } finally {
    await handle.close();
  }
}

const configs: Readonly<Record<string, string>> = {
  'diff.noprefix': 'true',
  'diff.mnemonicPrefix': 'true',
  'diff.srcPrefix': 'x/',
  'diff.external': 'PROGRAM',
  'color.ui': 'always',
  'color.diff': 'always',
  'diff.orderFile': 'ORDER',
  'diff.suppressBlankEmpty': 'true',
  'diff.odd.textconv': 'PROGRAM',
  'diff.odd.command': 'PROGRAM',
  'diff.odd.binary': 'true',
  'diff.odd.xfuncname': '^(.*3.*)$',
  'diff.python.xfuncname': '^(.*x.*)$',
  'core.quotePath': 'false',
  'diff.submodule': 'log',
  'diff.ignoreSubmodules': 'all',
  'diff.relative': 'true',
  'diff.context': '9',
  'diff.interHunkContext': '20',
  'diff.renames': 'false',
  'diff.renameLimit': '1',
  'diff.algorithm': 'patience',
  'diff.indentHeuristic': 'false',
  'diff.wsErrorHighlight': 'all',
  'diff.colorMoved': 'zebra',
  'diff.wordRegex': '.',
  'diff.statGraphWidth': '3',
  'diff.dirstat': 'files',
  'diff.autoRefreshIndex': 'false',
  'core.abbrev': '5',
  'core.pager': 'PROGRAM',
  'pager.diff': 'PROGRAM',
  'core.fsmonitor': 'PROGRAM',
  'core.untrackedCache': 'true',
  'core.splitIndex': 'true',
  'core.bigFileThreshold': '10',
  'core.attributesFile': 'ATTRIBUTES',
  'core.whitespace': 'tab-in-indent',
  'core.hooksPath': 'HOOKS',
  'core.commitGraph': 'false',
  'core.preloadIndex': 'false',
  'status.showUntrackedFiles': 'no',
  'status.relativePaths': 'true',
  'log.showSignature': 'true',
  'grep.lineNumber': 'false',
  'index.version': '4',
  'advice.addEmbeddedRepo': 'true',
  'alias.diff-tree': '!PROGRAM',
  'trace2.normalTarget': '1',
  'filter.lfs.process': 'PROGRAM',
  'submodule.recurse': 'true',
  'core.looseCompression': '9',
};

const variables: Readonly<Record<string, string>> = {
  GIT_EXTERNAL_DIFF: 'PROGRAM',
  GIT_DIFF_OPTS: '-u0',
  GIT_PAGER: 'PROGRAM',
  GIT_INDEX_FILE: '/nonexistent/index',
  GIT_DIR: '/nonexistent',
  GIT_WORK_TREE: '/nonexistent',
  GIT_OBJECT_DIRECTORY: '/nonexistent',
  GIT_NAMESPACE: 'other',
  GIT_TRACE: '1',
  GIT_CONFIG_PARAMETERS: "'diff.noprefix'='true'",
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'diff.context',
  GIT_CONFIG_VALUE_0: '0',
  GIT_GLOB_PATHSPECS: '1',
  GIT_ICASE_PATHSPECS: '1',
  GIT_REPLACE_REF_BASE: 'refs/other',
  GIT_SSH_COMMAND: 'PROGRAM',
  LC_ALL: 'de_DE.UTF-8',
  LANG: 'tr_TR.UTF-8',
  LANGUAGE: 'zh_CN',
  LESS: 'x',
  TERM: 'xterm-256color',
  COLUMNS: '20',
};

function real(value: string): string {
  writeFileSync(join(home, 'order'), '*.txt\n*.py\n');
  writeFileSync(join(home, 'attributes'), '* binary\n');
  const hooks = join(home, 'hooks');
  mkdirSync(hooks, { recursive: true });
  for (const name of ['post-index-change', 'fsmonitor-watchman'])
    writeFileSync(join(hooks, name), `#!/bin/sh\n'${program}'\n`, { mode: 0o755 });
  return value
    .replace('PROGRAM', program)
    .replace('ORDER', join(home, 'order'))
    .replace('ATTRIBUTES', join(home, 'attributes'))
    .replace('HOOKS', hooks);
}

async function expectCalm(folder: string, only: readonly ChangeRequest[] = requests): Promise<void> {
  for (const request of only) expect(await everything(folder, request)).toBe(calm[requests.indexOf(request)]);
}

/** A few settings at a time, each group with its title: the settings do not hide each other's effects. */
function inGroups(settings: Readonly<Record<string, string>>, size: number): [string, [string, string][]][] {
  const all = Object.entries(settings);
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => {
    const group = all.slice(index * size, (index + 1) * size);
    return [group.map(([key]) => key).join(', '), group];
  });
}

describe('the same change set', () => {
  it('shows the change in every mode when nothing is hostile', () => {
    for (const each of calm) expect(each).toContain('diff --git');
    expect(calm[0]).toContain('rename from old name.txt');
  });

  it.each(inGroups(configs, 7))(
    'is byte-identical with %s in the global config [diff.config-proof]',
    async (_, group) => {
      const sections = group.map(([key, value]) => {
        const [section, ...rest] = key.split('.');
        const name = rest.pop();
        const sub = rest.length > 0 ? ` "${rest.join('.')}"` : '';
        return `[${section}${sub}]\n\t${name} = "${real(value)}"\n`;
      });
      writeFileSync(join(home, '.gitconfig'), sections.join(''));
      mkdirSync(join(home, '.config/git'), { recursive: true });
      writeFileSync(join(home, '.config/git/attributes'), '* -diff\n');
      try {
        Object.assign(process.env, { HOME: home });
        await expectCalm(repository.folder, [requests[0]!, requests[3]!]);
      } finally {
        restore();
      }
    },
  );

  it('is byte-identical with all of them at once in the repository config, in every mode [diff.config-proof]', async () => {
    const before = repository.raw(['config', '--list', '--local']).toString();
    for (const [key, value] of Object.entries(configs)) repository.git('config', key, real(value));
    mkdirSync(join(repository.folder, '.git/info'), { recursive: true });
    writeFileSync(join(repository.folder, '.git/info/attributes'), '* -diff\n*.py diff=odd\n');
    try {
      await expectCalm(repository.folder);
    } finally {
      for (const key of Object.keys(configs)) repository.git('config', '--unset', key);
      rmSync(join(repository.folder, '.git/info/attributes'));
    }
    expect(repository.raw(['config', '--list', '--local']).toString()).toBe(before);
  });

  it.each(inGroups(variables, 6))(
    'is byte-identical with %s in the environment [diff.config-proof]',
    async (_, group) => {
      try {
        for (const [name, value] of group) process.env[name] = real(value);
        await expectCalm(repository.folder, [requests[0]!, requests[3]!]);
      } finally {
        restore();
      }
    },
  );

  it('is byte-identical from any folder inside the repository, in every mode [diff.config-proof]', async () => {
    const here = process.cwd();
    await expectCalm(join(repository.folder, 'folder/deep'));
    await expectCalm(join(repository.folder, 'folder/deep/file.txt'), [requests[0]!]);
    expect(process.cwd()).toBe(here);
  });

  it('never started a foreign program', () => {
    expect(existsSync(join(home, 'ran'))).toBe(false);
  });
});

it('says what is wrong where git cannot read its own configuration', async () => {
  const broken = scratchRepository();
  writeFileSync(join(broken.folder, '.git', 'config'), '[core\nbroken');
  try {
    await expect(openRepository(broken.folder)).rejects.toMatchObject({
      code: 'GIT_FAILED',
      details: { reason: 'unreadable-config' },
    });
  } finally {
    broken.dispose();
  }
});
