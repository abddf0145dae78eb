// The check of a book as writers run it: the packed program, a folder of chapters, a provider on this machine.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Loopback, openLoopback } from '../../src/testing/loopback/open-loopback.js';
import { runPacked, startPacked } from './packed-program.js';

let loopback: Loopback;
let folder: string;
beforeAll(async () => {
  loopback = await openLoopback({ cache: false });
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'galley-book-')));
  mkdirSync(join(folder, '.galley'));
  writeFileSync(join(folder, '.galley/constraints.md'), '- 不使用感叹号\n- 每一章都要写到天气\n');
  writeFileSync(join(folder, '01.md'), '# 第一章 雨\n\n雨下了一夜。\n');
  writeFileSync(join(folder, '02.md'), '# 第二章 跑\n\n他回头喊：“快跑！”没有人答话。\n');
});
afterAll(async () => {
  await loopback.close();
  rmSync(folder, { recursive: true, force: true });
});

const ground = () => ({
  cwd: folder,
  env: { OPENAI_API_KEY: 'key', OPENAI_BASE_URL: `${loopback.url}/v1` },
});
const galley = (...words: string[]) => runPacked(['write', ...words], ground());
const byModel = ['check', '--model', 'openai/gpt-5.2'];
const isSecond = (text: string) => /BEGIN PASSAGE[\s\S]*快跑/u.test(text);

it('lists places, asks once, goes on after a failure, and keeps what is intended', async () => {
  const plain = await galley('check', '--fail-on-findings');
  expect(plain.exit).toBe(1);
  expect(plain.stdout).toMatch(
    /^第二章 跑\n02\.md:3 {2}1\. paragraph 1 {2}不使用感叹号\n {4}他回头喊：“快跑！”/u,
  );
  expect(plain.stdout).toContain('每一章都要写到天气');

  const dry = await galley(...byModel, '--dry-run');
  expect(dry.stderr).toMatch(/2 calls to openai\/gpt-5\.2, about [\d,]+ tokens to read, \$\d/u);
  expect(loopback.calls).toHaveLength(0);

  const broken = '{"findings": [{"constraint": 1, "quote": "没有人答话", "reason": "没有写到天气"}]}';
  loopback.play(
    (request) => (isSecond(JSON.stringify(request.body)) ? broken : '{"findings": []}'),
    (request) =>
      isSecond(JSON.stringify(request.body)) ? { kind: 'status', status: 400, message: 'no' } : undefined,
  );
  const partial = await galley(...byModel);
  expect(partial.exit).toBe(3);
  expect(partial.stderr).toContain('第二章 跑 (02.md)');

  loopback.play(broken);
  loopback.forgetCalls();
  const whole = await galley(...byModel);
  expect([whole.exit, loopback.calls.length]).toEqual([0, 1]);
  expect(whole.stdout).toContain('02.md:3  2. paragraph 1  每一章都要写到天气\n');

  const again = await galley(...byModel);
  expect(loopback.calls).toHaveLength(1);
  expect(again.stdout).toBe(whole.stdout);
  expect(again.stderr).toContain('nothing to pay');

  expect((await galley('check', '--intended', '1', '--why', '引语')).exit).toBe(0);
  expect(readFileSync(join(folder, '.galley/intended.md'), 'utf8')).toContain(
    '他回头喊：“快跑！” <!-- chapter: 02.md, rule: 不使用感叹号, why: 引语 -->',
  );
  const quiet = await galley('check', '--fail-on-findings');
  expect(quiet.exit).toBe(0);
  expect(quiet.stdout).toContain('1 intended');
  expect((await galley('check', '--all')).stdout).toContain('02.md:3');
  writeFileSync(join(folder, '02.md'), '# 第二章 跑\n\n他大声喊：“快跑！”没有人答话。\n');
  expect((await galley('check', '--fail-on-findings')).exit).toBe(1);
  expect((await galley('intended')).stdout).toContain('gone');
}, 120_000);

it('goes on after a kill from the answers it had', async () => {
  const other = ['check', '--model', 'openai/gpt-5.1'];
  let release = (_: string) => {};
  const held = new Promise<string>((resolve) => {
    release = resolve;
  });
  loopback.play((request) => (isSecond(JSON.stringify(request.body)) ? held : '{"findings": []}'));
  const child = startPacked(['write', ...other], ground());
  const ended = new Promise((done) => child.once('close', done));
  for (;;) {
    const { stderr } = await galley(...other, '--dry-run');
    if (stderr.includes('1 answered before')) break;
  }
  child.kill('SIGKILL');
  await ended;
  release('{"findings": []}');
  loopback.play('{"findings": []}');
  loopback.forgetCalls();
  expect((await galley(...other)).exit).toBe(0);
  expect(loopback.calls).toHaveLength(1);
}, 120_000);
