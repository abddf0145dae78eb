import type { Command } from 'commander';
import { afterEach, describe, expect, it } from 'vitest';
import { errorTable } from '../../core/model/error.js';
import { exitCodes, programFor, wholeProgram } from './program.js';
import { cancelledExit } from './shell/cancellation.js';
import { widthOf } from './terminal/text-width.js';
import { speak } from './words/word.js';

afterEach(() => speak('en'));

function every(command: Command, path = 'galley'): [string, Command][] {
  return [[path, command], ...command.commands.flatMap((child) => every(child, `${path} ${child.name()}`))];
}

function helpOf(command: Command, width = 80): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => width });
  command.outputHelp();
  return text;
}

/** Those that run until they are stopped. */
const lasting = new Set(['galley serve', 'galley mcp', 'galley open', 'galley write open']);
const actions = () =>
  every(wholeProgram()).filter(([path, command]) => {
    const isGroup =
      path === 'galley' || (command as unknown as { _actionHandler: unknown })._actionHandler === null;
    return !isGroup && !lasting.has(path);
  });

describe('every command', () => {
  it('prints JSON on request', () => {
    const without = actions().filter(([, command]) => !command.options.some(({ long }) => long === '--json'));
    // What is watched has the standard output to itself; the report goes to a file (--report).
    // A worker goes on until it is told to end; what came of its jobs is in the store.
    expect(without.map(([path]) => path)).toEqual(['galley watch', 'galley worker']);
  });

  it('has an example that begins with its own words', () => {
    for (const [path, command] of actions())
      expect(helpOf(command)).toMatch(new RegExp(`Examples:[^]*${path}`));
  });

  it('is described in Chinese, with every flag and argument', async () => {
    await speak('zh');
    const silent = every(wholeProgram()).flatMap(([path, command]) =>
      [
        [path, command.description()],
        ...command.options.map(({ flags, description }) => [`${path} ${flags}`, description]),
        ...command.registeredArguments.map((one) => [`${path} ${one.name()}`, one.description || '无']),
      ].filter(([, about]) => !/\p{sc=Han}/u.test(about ?? '')),
    );
    expect(silent.filter(([name]) => name !== 'galley agent --agent <type>')).toEqual([]);
  });

  it.each(['en', 'zh'] as const)('fits its help into 80 places (%s)', async (language) => {
    await speak(language);
    for (const [path, command] of every(wholeProgram())) {
      const [help = ''] = helpOf(command).split(/\n(?:Examples:|示例：)\n/);
      for (const line of help.split('\n'))
        expect([path, line, widthOf(line) <= 80]).toEqual([path, line, true]);
    }
  });
});

describe('help', () => {
  it.each(['en', 'zh'] as const)('names every exit code there is (%s)', async (language) => {
    await speak(language);
    const help = helpOf(wholeProgram());
    const used = new Set([
      ...[0, 1, cancelledExit('SIGHUP'), cancelledExit('SIGTERM')],
      ...Object.values(errorTable).map(({ exit }) => exit),
    ]);
    expect([...used].sort((a, b) => a - b)).toEqual([...exitCodes]);
    for (const code of used) expect(help).toMatch(new RegExp(`^ +${code} {2}\\S`, 'm'));
  });

  it('of one command is the same whether all are registered or only that one', () => {
    for (const { name } of wholeProgram().commands.map((command) => ({ name: command.name() }))) {
      const alone = programFor(name).commands.find((command) => command.name() === name);
      const among = wholeProgram().commands.find((command) => command.name() === name);
      expect(helpOf(alone as Command)).toBe(helpOf(among as Command));
    }
    expect(programFor('review').commands).toHaveLength(1);
    expect(programFor('revew').commands.length).toBeGreaterThan(5);
  });
});
