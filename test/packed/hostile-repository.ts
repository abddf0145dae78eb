// A repository whose owner set every trap git knows: each setting that can start a program starts one that leaves a mark.
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  inFolder,
  type ScratchRepository,
  scratchFolder,
  scratchRepository,
} from '../../src/git/testing/scratch-repository.js';

export interface HostileRepository {
  readonly repository: ScratchRepository;
  /** What the user exported, as hostile as the repository. */
  readonly environment: Readonly<Record<string, string>>;
  /** The traps that went off. */
  marks(): string[];
  dispose(): void;
}

const hooks = [
  'applypatch-msg',
  'fsmonitor-watchman',
  'post-checkout',
  'post-commit',
  'post-index-change',
  'post-rewrite',
  'pre-commit',
  'pre-auto-gc',
  'reference-transaction',
];

/** Files by the driver that .gitattributes names for them; every one holds a line with a `b`. */
const attributes = `*.txt filter=plain diff=plain merge=plain
*.need filter=needed
*.proc filter=process
*.odd filter=a.b=c"D'E
*.inc filter=included
*.tree filter=worktree
*.glob filter=global
*.env filter=exported
*.par filter=parameters
*.both filter=both diff=both
`;
export const trappedFiles = [
  'txt',
  'need',
  'proc',
  'odd',
  'inc',
  'tree',
  'glob',
  'env',
  'par',
  'both',
  'info',
  'own',
].map((ending) => `file.${ending}`);

export function hostileRepository(): HostileRepository {
  const ground = scratchFolder();
  const marks = join(ground, 'marks');
  mkdirSync(marks);
  const program = join(ground, 'trap');
  // Only a filter answers; whatever else waits for an end of its input could wait for ever.
  const script = `#!/bin/sh\n: > '${marks}'/"$1"\ncase "$1" in clean-*|smudge-*) sed s/b/Z/ ;; *) exit 1 ;; esac\n`;
  writeFileSync(program, script);
  chmodSync(program, 0o755);
  const trap = (name: string) => `'${program}' ${name}`;

  const repository = scratchRepository({ folder: join(ground, 'repository') });
  const library = scratchRepository({ folder: join(ground, 'library') });
  library.write('lib.txt', 'b\n');
  library.write('.gitattributes', '* filter=inner\n');
  library.commit('library');
  repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.folder, 'module');
  repository.write('.gitattributes', attributes);
  for (const name of trappedFiles) repository.write(name, 'a b c\n');
  repository.commit('start');
  repository.git('checkout', '-q', '-b', 'feature');
  for (const name of trappedFiles) repository.write(name, 'a b c\nb committed\n');
  repository.commit('feature');
  for (const name of trappedFiles) repository.write(name, 'a b c\nb committed\nb staged\n');
  repository.git('add', '-A');
  for (const name of trappedFiles) repository.write(name, 'a b c\nb committed\nb staged\nb working\n');
  repository.write('new.txt', 'b new\n');

  const set = (key: string, value: string, file = join(repository.folder, '.git', 'config')) =>
    repository.git('config', '--file', file, key, value);
  const filter = (name: string, file?: string) => {
    for (const kind of ['clean', 'smudge'])
      set(`filter.${name}.${kind}`, trap(`${kind}-${label(name)}`), file);
  };
  for (const name of ['plain', 'needed', 'both', `a.b=c"D'E`, 'info', 'own']) filter(name);
  set('filter.needed.required', 'true');
  set('filter.process.process', trap('process'));
  set('filter.both.process', trap('process-both'));
  set('filter.both.required', 'true');
  for (const name of ['plain', 'both']) {
    set(`diff.${name}.textconv`, trap('textconv'));
    set(`diff.${name}.command`, trap('diff-command'));
    set(`merge.${name}.driver`, trap('merge-driver'));
  }
  const named = [
    'core.fsmonitor',
    'core.pager',
    'core.sshCommand',
    'core.gitProxy',
    'core.askPass',
    'core.editor',
    'core.alternateRefsCommand',
    'credential.helper',
    'diff.external',
    'gpg.program',
    'interactive.diffFilter',
    'sequence.editor',
    'uploadpack.packObjectsHook',
  ];
  for (const key of named) set(key, trap(key));
  const commands = [
    'add',
    'cat-file',
    'diff',
    'diff-files',
    'diff-index',
    'diff-tree',
    'for-each-ref',
    'grep',
    'log',
  ];
  commands.push('hash-object', 'ls-files', 'ls-tree', 'rev-parse', 'status', 'update-index', 'write-tree');
  for (const command of commands) {
    set(`alias.${command}`, `!${trap('alias')}`);
    set(`pager.${command}`, trap('pager'));
  }
  set('log.showSignature', 'true');
  set('submodule.recurse', 'true');
  set('status.submoduleSummary', 'true');
  set('diff.submodule', 'diff');
  // Objects that are not here would be fetched by a program of the owner's choice.
  set('remote.origin.url', `ext::${program} lazy-fetch`);
  set('remote.origin.promisor', 'true');
  set('remote.origin.partialCloneFilter', 'blob:none');
  set('remote.origin.uploadpack', trap('uploadpack'));
  set('protocol.ext.allow', 'always');

  const included = join(ground, 'included');
  filter('included', included);
  set('include.path', included);
  set('core.repositoryFormatVersion', '1');
  set('extensions.partialClone', 'origin');
  set('extensions.worktreeConfig', 'true');
  filter('worktree', join(repository.folder, '.git', 'config.worktree'));
  const own = join(ground, 'attributes');
  writeFileSync(own, '*.own filter=own diff=plain\n');
  set('core.attributesFile', own);
  mkdirSync(join(repository.folder, '.git', 'info'), { recursive: true });
  writeFileSync(join(repository.folder, '.git', 'info', 'attributes'), '*.info filter=info diff=plain\n');

  const elsewhere = join(ground, 'hooks');
  for (const folder of [elsewhere, join(repository.folder, '.git', 'hooks')]) {
    mkdirSync(folder, { recursive: true });
    for (const hook of hooks)
      writeFileSync(join(folder, hook), `#!/bin/sh\n${trap(`hook-${hook}`)}\n`, { mode: 0o755 });
  }

  const module = inFolder(join(repository.folder, 'module'));
  // Of the same size, so that git has to look inside.
  module.write('lib.txt', 'c\n');
  const moduleConfig = join(repository.folder, '.git', 'modules', 'module', 'config');
  filter('inner', moduleConfig);
  set('core.fsmonitor', trap('module-fsmonitor'), moduleConfig);

  const home = join(ground, 'home');
  mkdirSync(home);
  filter('global', join(home, '.gitconfig'));
  set('core.hooksPath', elsewhere, join(home, '.gitconfig'));
  set('safe.directory', '*', join(home, '.gitconfig'));
  const environment = {
    HOME: home,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'filter.exported.clean',
    GIT_CONFIG_VALUE_0: trap('clean-exported'),
    GIT_CONFIG_PARAMETERS: `'filter.parameters.clean'='${program} clean-parameters'`,
    GIT_EXTERNAL_DIFF: trap('GIT_EXTERNAL_DIFF'),
    GIT_PAGER: trap('GIT_PAGER'),
    PAGER: trap('PAGER'),
    GIT_SSH_COMMAND: trap('GIT_SSH_COMMAND'),
    GIT_ASKPASS: trap('GIT_ASKPASS'),
    GIT_EDITOR: trap('GIT_EDITOR'),
    GIT_PROXY_COMMAND: trap('GIT_PROXY_COMMAND'),
  };
  return {
    repository,
    environment,
    marks: () => readdirSync(marks).sort(),
    dispose: () => rmSync(ground, { recursive: true, force: true }),
  };
}

function label(name: string): string {
  return name.replaceAll(/[^a-z]/g, '-');
}
