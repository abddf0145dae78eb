// The reference of the command line is generated from the command tree. UPDATE_DOCS=1 writes it anew.
import { readFileSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { wholeProgram } from '../../src/surfaces/cli/program.js';

const file = 'docs/cli.md';

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
    getOutHelpWidth: () => 100,
  });
  command.outputHelp();
  return text.trim();
}

function sections(command: Command, before = ''): string[] {
  const path = `${before} ${command.name()}`.trim();
  const own = [`## ${path}`, '', '```text', helpOf(command), '```', ''];
  return [...own, ...command.commands.flatMap((child) => sections(child, path))];
}

it('the reference of the command line is the command tree', () => {
  const text = [
    '# The command line',
    '',
    'Data goes to stdout, talk to stderr. `--json` prints one JSON value and is the same in every language; `galley schema` prints',
    'what operations take and what `doctor` and `init` answer. Colour, progress and questions appear only on a terminal;',
    '`NO_COLOR` switches colour off. `--lang en` or `--lang zh` may stand anywhere.',
    '',
    ...sections(wholeProgram()),
  ].join('\n');
  if (process.env.UPDATE_DOCS) writeFileSync(file, text);
  expect(readFileSync(file, 'utf8')).toBe(text);
});
