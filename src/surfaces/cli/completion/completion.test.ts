import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratchRepository } from '../../../git/testing/scratch-repository.js';
import { operationIds } from '../../../operations/table.js';
import { wholeProgram } from '../program.js';
import { bashCompletion, fishCompletion, zshCompletion } from './shells.js';
import { spotsOf } from './spots.js';

const folder = mkdtempSync(join(tmpdir(), 'galley-completion-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const spots = spotsOf(wholeProgram());
const has = (shell: string) => spawnSync(shell, ['--version']).status === 0;

function run(shell: string, args: readonly string[], cwd = folder): string[] {
  const { stdout, stderr, status } = spawnSync(shell, args, { cwd, encoding: 'utf8' });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return stdout.split('\n').filter((line) => line !== '');
}

interface Shell {
  readonly name: string;
  readonly script: string;
  /** What the shell offers for this line, the cursor at its end. */
  offer(line: string, at?: string): string[];
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const bash: Shell = {
  name: 'bash',
  script: bashCompletion(spots),
  offer: (line, at) =>
    run(
      'bash',
      [
        '--norc',
        '-c',
        `set -u; COMP_WORDBREAKS=$' \\t\\n"><=;|&(:'; source ./galley.bash
       COMP_LINE=${quoted(line)}; COMP_POINT=\${#COMP_LINE}; COMPREPLY=(); _galley; printf '%s\\n' "\${COMPREPLY[@]+"\${COMPREPLY[@]}"}"`,
      ],
      at,
    ),
};

const zsh: Shell = {
  name: 'zsh',
  script: zshCompletion(spots),
  // The shell runs our function; what it hands to the completion system is printed instead.
  offer: (line, at) =>
    run(
      'zsh',
      [
        '-f',
        '-c',
        `compdef() { : }; _files() { print -- FILES }
       compadd() { shift; print -rl -- "$@" }
       _describe() { local name=$@[-1]; print -rl -- "\${(@)\${(P)name}%%:*}" }
       source ./galley.zsh
       line=${quoted(line)}; words=("\${(@s: :)line}"); CURRENT=\${#words}; _galley
      `,
      ],
      at,
    ).filter((offered) => offered.startsWith(line.split(' ').at(-1) ?? '')),
};

const fish: Shell = {
  name: 'fish',
  script: fishCompletion(spots),
  offer: (line, at) =>
    run('fish', ['--no-config', '-c', `source ./galley.fish; complete -C ${quoted(line)}`], at).map(
      (offered) => offered.split('\t')[0] ?? '',
    ),
};

for (const shell of [bash, zsh, fish]) {
  const absent = !has(shell.name);
  if (absent) console.log(`completions of ${shell.name} were not tried: ${shell.name} is not installed`);

  describe.skipIf(absent)(`completions of ${shell.name}`, () => {
    beforeAll(() => writeFileSync(join(folder, `galley.${shell.name}`), shell.script));

    it('offers commands and what follows them', () => {
      expect(shell.offer('galley re').sort()).toEqual(['receipts', 'report', 'review']);
      expect(shell.offer('galley write co')).toEqual(['constraints']);
      expect(shell.offer('galley write constraints ')).toEqual(expect.arrayContaining(['add', 'remove']));
      expect(shell.offer('galley completion ').sort()).toEqual(['bash', 'fish', 'zsh']);
    });

    it('offers the flags of the command one is in, and no others', () => {
      expect(shell.offer('galley review --sta')).toEqual(['--staged']);
      expect(shell.offer('galley report --fo')).toEqual(['--format']);
      expect(shell.offer('galley doctor --sta')).toEqual([]);
      expect(shell.offer('galley agent run --tri')).toEqual(['--trim']);
    });

    it('offers fixed values, meters and skills', () => {
      expect(shell.offer('galley report --format sa')).toEqual(['sarif']);
      expect(shell.offer('galley review --level f').sort()).toEqual([
        'file_context',
        'full_file',
        'function',
      ]);
      expect(shell.offer('galley review --meter o2')).toEqual(['o200k_base']);
      expect(shell.offer('galley write assemble 3 --skill pol')).toEqual(['polish']);
      expect(shell.offer('galley --lang z')).toEqual(['zh']);
    });

    it('offers branches and tags where a revision is wanted, and nothing outside a repository', () => {
      mkdirSync(join(folder, `${shell.name}-repository`));
      const repository = scratchRepository({ folder: join(folder, `${shell.name}-repository`) });
      repository.write('a', 'a\n');
      repository.commit('one');
      for (const branch of ['feature/login', 'feature/logout', 'feature/$(id>ran)', 'fix`id>ran`'])
        repository.git('update-ref', `refs/heads/${branch}`, 'HEAD');
      repository.git('tag', 'v1.2.3');
      writeFileSync(join(repository.folder, `galley.${shell.name}`), shell.script);
      const inside = (line: string) => shell.offer(line, repository.folder);
      for (const flag of ['--base', '--head', '--commit'])
        expect(inside(`galley review ${flag} feature/logi`)).toEqual(['feature/login']);
      expect(inside('galley report x --base v1')).toEqual(['v1.2.3']);
      expect(inside('galley review --base m')).toEqual(['main']);
      expect(inside('galley review --base fix')).toHaveLength(1);
      expect(readdirSync(repository.folder)).not.toContain('ran');
      writeFileSync(join(folder, 'feature-file'), '');
      expect(shell.offer('galley review --base feature')).toEqual([]);
    });

    it('does not take the value of a flag for a command', () => {
      expect(shell.offer('galley write constraints --project add rem')).toEqual(['remove']);
      expect(shell.offer('galley --lang zh rev')).toEqual(['review']);
    });
  });
}

describe.skipIf(!has('bash'))('operation ids, which hold a colon', () => {
  it('are completed behind the colon in bash, where readline breaks the word', () => {
    const agents = operationIds.filter((id) => id.startsWith('agents:')).map((id) => id.slice(7));
    expect(bash.offer('galley call agents:').sort()).toEqual([...agents].sort());
    expect(bash.offer('galley call agents:as')).toEqual(['assemble']);
    expect(bash.offer('galley call age')).toEqual(expect.arrayContaining(['agents:assemble', 'agents:run']));
    expect(bash.offer('galley report --format=sa')).toEqual(['sarif']);
  });

  it.skipIf(!has('fish'))('are offered whole in fish', () => {
    expect(fish.offer('galley call agents:as')).toEqual(['agents:assemble']);
  });

  it.skipIf(!has('zsh'))('are offered whole in zsh', () => {
    expect(zsh.offer('galley schema agents:as')).toEqual(['agents:assemble']);
  });
});
