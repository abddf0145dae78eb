// A day of a novelist, as the guide tells it: its lines are run one by one with the packed program and a provider on this machine. No
// step needs an id or an offset, and none has to be explained beyond its help.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Loopback, openLoopback } from '../../src/testing/loopback/open-loopback.js';
import { type PackedAnswer, runPacked } from './packed-program.js';

const guide = readFileSync('docs/guides/writing.md', 'utf8');
const lines = (/## A day with a book\n[\s\S]*?```sh\n([\s\S]*?)```/u.exec(guide)?.[1] ?? '').split('\n');

/** As a shell would read it; nothing in the guide needs more of one. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/gu)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}

/** A name is one where no sentence begins. */
const evening = 'That evening Mara asked Tom, and Tom told Mara.';
const ferry = [
  'Chapter 1: The Key',
  'Mara found the silver key. The river was cold.',
  `Nobody said a word. ${evening}`,
  'Chapter 2: The Bank',
  'Tom asked about the key.',
  `Mara laughed. ${evening}`,
  'Chapter 3: The Night',
  'Nobody spoke. Tom slept.',
  `“Run!” Mara called across the river. ${evening}`,
  'Chapter 4: The Boat',
  `Mara went to the landing. ${evening}`,
].join('\n\n');

let model: Loopback;
let home: string;
let book: string;
beforeAll(async () => {
  model = await openLoopback({ cache: false });
  home = realpathSync(mkdtempSync(join(tmpdir(), 'galley-day-')));
  book = join(home, 'book');
  mkdirSync(book);
  writeFileSync(join(home, 'ferry.txt'), ferry);
});
afterAll(async () => {
  await model.close();
  rmSync(home, { recursive: true, force: true });
});

let written = 0;
/** What a model would say to each. */
function reply(sent: string): string {
  if (sent.includes('note the promises'))
    return sent.includes('Tom asked about the key')
      ? '{"promises": [{"promise": "Why does Tom want the key?", "quote": "Tom asked about the key."}]}'
      : '{"promises": []}';
  if (sent.includes('You sum up')) return 'Mara has a key and a secret.';
  written += 1;
  if (sent.includes('Mara found the silver key. The river was cold.') && written === 1)
    return 'Mara found a silver key. The river was very cold.';
  return `Rain fell on the ${['water', 'bank', 'boat', 'hill'][written % 4]} for a while.`;
}

it('is run as the guide tells it, from the text file to the book', { timeout: 600_000 }, async () => {
  model.play((call) => reply(JSON.stringify(call.body)));
  const env = {
    ...{ NO_COLOR: '1', HOME: home, GALLEY_MODEL: '' },
    ...{ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'key' },
  };
  const said = new Map<string, PackedAnswer>();
  const chapterAfter = new Map<string, string>();
  let runs = 0;
  for (const line of lines) {
    const [first = '', ...words] = wordsOf(line);
    if (first === 'export') [, env.GALLEY_MODEL = ''] = (words[0] ?? '').split('=');
    if (first !== 'galley') continue;
    const answer = await runPacked(words, { cwd: book, env });
    expect(answer.exit, `${line}\n${answer.stderr}`).toBe(0);
    // What the writer sees speaks in words, and so does what the writer types.
    for (const text of [answer.stdout, answer.stderr, line])
      expect(text, line).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-|[0-9a-f]{12,}|--select|--cursor/u);
    said.set(line, answer);
    chapterAfter.set(line, readFileSync(join(book, '001 Chapter 1 The Key.txt'), 'utf8'));
    if (words[1] === 'run') runs += 1;
  }
  expect(runs).toBe(10);
  const of = (line: string) => said.get(line) ?? expect.unreachable(line);
  expect(of('galley write people propose').stdout).toMatch(/Mara[\s\S]*Tom/u);
  expect(of('galley write draft show 1').stdout).toContain('+ The river was very cold.');
  expect(chapterAfter.get('galley write draft apply 1 --parts 2')).toContain(
    'Mara found the silver key. The river was very cold.',
  );
  expect(chapterAfter.get('galley write undo')).toContain('Mara found the silver key. The river was cold.');
  expect(of('galley write undo 3').stderr).toContain('wait again');
  expect(of('galley write check').stdout).toMatch(/No exclamation marks\.[\s\S]*Run!/u);
  expect(of('galley write promises').stdout).toContain('What does the silver key open?');
  expect(of(line('propose', '--max-cost 1')).stdout).toContain('Why does Tom want the key?');
  expect(readFileSync(join(book, '.galley/promises.md'), 'utf8')).toMatch(
    /## .*Open\n\n- Why does Tom want the key\?[\s\S]*Paid\n\n- What does the silver key open\?/u,
  );
  expect(of('galley write search key').stdout).toContain('silver key');
  const sent = model.calls.map(({ body }) => JSON.stringify(body));
  const plans = sent.filter((text) => text.includes('She finds the boat.'));
  expect(plans.length).toBeGreaterThan(0);
  expect(plans.every((text) => text.includes('What does the silver key open?'))).toBe(true);
  const early = sent.filter(
    (text) => text.includes('Tom asked about the key.') && !text.includes('You sum up'),
  );
  expect(
    early.some((text) => text.includes('She sank the boat.') && !text.includes('She finds the boat.')),
  ).toBe(false);
  for (const name of ['ferry.epub', 'ferry.docx'])
    expect(readFileSync(join(home, name)).subarray(0, 2).toString()).toBe('PK');
});

function line(...parts: readonly string[]): string {
  return lines.find((each) => parts.every((part) => each.includes(part))) ?? '';
}
