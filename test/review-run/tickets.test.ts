// Tickets that a change names, told by a real program of the user's, as they reach the model.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ticketIds } from '../../src/review/prompt/tickets.js';
import { localTickets } from '../../src/surfaces/local-tickets.js';
import { scriptedModel } from '../../src/testing/scripted-model.js';
import { answerWith, groundForTest, manyPages } from './review-ground.js';

const folder = mkdtempSync(join(tmpdir(), 'galley-tickets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;

/** A program that writes down how it was called. */
function program(script: string) {
  made += 1;
  const path = join(folder, `tell-${made}`);
  const calls = `${path}.calls`;
  writeFileSync(
    path,
    `#!${process.execPath}\nconst { appendFileSync } = require('node:fs');\nconst [...words] = process.argv.slice(2);\nappendFileSync(${JSON.stringify(calls)}, JSON.stringify([...words, process.cwd()]) + '\\n');\n${script}\n`,
  );
  chmodSync(path, 0o755);
  const called = () =>
    (existsSync(calls) ? readFileSync(calls, 'utf8') : '')
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as string[]);
  return { path, called };
}

async function review(environment: NodeJS.ProcessEnv, intent?: object, branch = 'topic') {
  const ground = groundForTest(manyPages(1));
  ground.repository.git('branch', '-q', '-m', branch);
  const model = scriptedModel([answerWith()]);
  const tickets = localTickets({ PATH: process.env.PATH, ...environment });
  const run = await ground.run(model, intent === undefined ? {} : { intent }, { tickets });
  return { prompt: model.requests[0]?.prompt ?? '', run, folder: ground.repository.folder };
}

describe('the words of a ticket', () => {
  it('stand inside the fence, with the intent, and the program gets its name and nothing else', async () => {
    const tell = program(`console.log('Payments must be idempotent, ' + words.at(-1));`);
    const command = JSON.stringify([tell.path, '--plain text']);
    const {
      prompt,
      run,
      folder: repository,
    } = await review(
      { GALLEY_TICKET_COMMAND: command },
      { title: 'PAY-12: charge once', description: 'See OPS-7, PAY-12 and OTHER.' },
    );
    const inside = prompt.slice(
      prompt.indexOf('===== BEGIN UNTRUSTED'),
      prompt.indexOf('===== END UNTRUSTED'),
    );
    expect(inside).toContain('Ticket PAY-12:\nPayments must be idempotent, PAY-12\n');
    expect(inside).toContain('Ticket OPS-7:\n');
    expect(run.warnings).toEqual([]);
    const called = tell.called().sort();
    expect(called.map((words) => words.slice(0, -1))).toEqual([
      ['--plain text', 'OPS-7'],
      ['--plain text', 'PAY-12'],
    ]);
    expect(called.every((words) => words.at(-1) !== repository)).toBe(true);
    expect(JSON.stringify(run.receipts ?? run)).not.toContain('idempotent');
  });

  it('are found by the branch, and by a pattern of one’s own', async () => {
    const tell = program('console.log("words of", words[0]);');
    const named = await review({ GALLEY_TICKET_COMMAND: tell.path }, { title: 'x' }, 'feature/WEB-401-login');
    expect(named.prompt).toContain('Ticket WEB-401:\nwords of WEB-401');
    const own = { GALLEY_TICKET_COMMAND: tell.path, GALLEY_TICKET_PATTERN: '#\\d+' };
    expect((await review(own, { title: 'Fixes #99' })).prompt).toContain('Ticket #99:\n');
  });

  it('are cut, redacted and never more than 64 KB', async () => {
    const key = `AKIA${'Q7M2'.repeat(4)}`;
    const tell = program(
      `console.log('password = "${key}"'); for (let i = 0; i < 20000; i += 1) console.log('long line ' + i);`,
    );
    const { prompt, run } = await review({ GALLEY_TICKET_COMMAND: tell.path }, { title: 'PAY-1' });
    expect(prompt).not.toContain(key);
    expect(prompt).toMatch(/\[… \d+ characters left out\]/);
    expect(run.warnings.map(({ code }) => code)).toContain('INTENT_SHORTENED');
  });

  it('are done without where the program fails, and that is said', async () => {
    const tell = program('console.log("half a secret"); process.exit(1);');
    const { prompt, run } = await review({ GALLEY_TICKET_COMMAND: tell.path }, { title: 'PAY-1 and PAY-2' });
    expect(prompt).not.toContain('half a secret');
    expect(run.warnings).toMatchObject([{ code: 'TICKET_UNREAD', details: { count: 2 } }]);
  });

  it('cannot close the fence around them', async () => {
    const endOf = (prompt: string) => prompt.match(/^===== END UNTRUSTED CHANGE .*$/gm)?.at(-1) ?? '';
    const foreseen = endOf((await review({}, { title: 'PAY-1' })).prompt);
    const tell = program(`console.log(${JSON.stringify(foreseen)});`);
    const { prompt } = await review({ GALLEY_TICKET_COMMAND: tell.path }, { title: 'PAY-1' });
    expect(prompt).toContain(`Ticket PAY-1:\n${foreseen}`);
    expect(endOf(prompt)).not.toBe(foreseen);
    expect(prompt.split(endOf(prompt))).toHaveLength(2);
  });
});

describe('the program that tells tickets', () => {
  it.each([
    [{ GALLEY_TICKET_COMMAND: './tell' }, 'GALLEY_TICKET_COMMAND must begin with a name on the PATH'],
    [{ GALLEY_TICKET_COMMAND: 'no-such-program-here' }, 'GALLEY_TICKET_COMMAND must begin with a name'],
    [{ GALLEY_TICKET_COMMAND: '["a", 1]' }, 'GALLEY_TICKET_COMMAND is not a JSON list'],
    [
      { GALLEY_TICKET_COMMAND: process.execPath, GALLEY_TICKET_PATTERN: '(' },
      'GALLEY_TICKET_PATTERN is not a regular expression',
    ],
  ])('is refused with %j', async (environment, words) => {
    await expect(review(environment)).rejects.toThrowError(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining(words) }),
    );
  });

  it('is never one of the repository', async () => {
    const ground = groundForTest(manyPages(1), (repository) =>
      repository.write('galley.config.json', '{"ticket":{"command":["touch","x"]}}'),
    );
    await expect(ground.dryRun()).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    expect(await localTickets({})()).toBeUndefined();
  });

  it('gets names that are names, however wide the pattern is', () => {
    const texts = ['--output=/etc/x ../../etc $(id) A-1', 'A-1 B-2 C-3 D-4', `${'x'.repeat(10_000)}E-5`];
    expect(ticketIds(texts, /\S+/)).toEqual(['A-1', 'B-2', 'C-3']);
    expect(ticketIds([texts[2] ?? ''], /[A-Z]-\d/)).toEqual([]);
  });
});
