import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { GalleyError } from '../../core/model/error.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import type { ModelRequest } from '../contract/model.js';
import { recording } from '../testing/recording.js';
import { openReplay } from './replay-model.js';

const folder = mkdtempSync(join(tmpdir(), 'galley-replay-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = () => {
  files += 1;
  return join(folder, `answers-${files}.jsonl`);
};
const options = () => ({ signal: new AbortController().signal });
const ask = (prompt: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  prompt,
  timeouts: { firstByteMs: 1, totalMs: 1 },
  ...more,
});

describe('recorded answers', () => {
  it('come again for the same requests, whole, streamed and labelled', async () => {
    const path = newFile();
    const usage = { inputTokens: 9, outputTokens: 3, cachedInputTokens: 4 };
    const recorder = await recording(
      scriptedModel([{ text: 'one\ntwo\n', usage, model: 'gpt-x' }, 'second'], 'openai/gpt-x'),
      path,
    );
    await recorder.run(ask('first', { system: 's' }), options());
    await recorder.run(ask('second'), options());
    const replay = await openReplay(path, 'replay/a');
    expect(replay).toMatchObject({ id: 'replay/a', family: 'replay' });
    expect(await replay.run(ask('second'), options())).toEqual({
      text: 'second',
      finish: 'stop',
      model: 'replay of openai/gpt-x',
    });
    const heard: string[] = [];
    const other = { timeouts: { firstByteMs: 5, totalMs: 7 }, cachePoints: { prompt: [2] } };
    const answer = await replay.run(ask('first', { system: 's', ...other }), {
      ...options(),
      onText: (text) => heard.push(text),
    });
    expect(answer).toEqual({ text: 'one\ntwo\n', finish: 'stop', usage, model: 'replay of gpt-x' });
    expect(heard).toEqual(['one\n', 'two\n']);
  });

  it('are never made up: a request nobody recorded is refused with the next step', async () => {
    const path = newFile();
    const recorder = await recording(scriptedModel(['x']), path);
    await recorder.run(ask('known'), options());
    const replay = await openReplay(path, 'replay/a');
    for (const request of [ask('SECRET'), ask('known', { system: 'x' })]) {
      const refused = replay.run(request, options());
      await expect(refused).rejects.toMatchObject({
        code: 'MODEL_ANSWER_INVALID',
        message: expect.stringContaining('record'),
      });
      await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining('SECRET') });
    }
  });

  it('to the same question come in turn, the last again and again', async () => {
    const path = newFile();
    const recorder = await recording(scriptedModel(['one', 'two']), path);
    for (let turn = 0; turn < 2; turn += 1) await recorder.run(ask('again'), options());
    const replay = await openReplay(path, 'replay/a');
    const texts = [];
    for (let turn = 0; turn < 3; turn += 1) texts.push((await replay.run(ask('again'), options())).text);
    expect(texts).toEqual(['one', 'two', 'two']);
  });

  it('can come in order, whatever is asked, until they are used up', async () => {
    const path = newFile();
    const recorder = await recording(scriptedModel(['one', 'two']), path, { by: 'order' });
    await recorder.run(ask('a'), options());
    await recorder.run(ask('b'), options());
    const replay = await openReplay(path, 'replay/a');
    expect((await replay.run(ask('x'), options())).text).toBe('one');
    expect((await replay.run(ask('y'), options())).text).toBe('two');
    await expect(replay.run(ask('z'), options())).rejects.toMatchObject({ code: 'MODEL_ANSWER_INVALID' });
  });

  it('are written line by line, also of runs that end at once, and never of runs that failed', async () => {
    const path = newFile();
    const failing = async () => {
      throw new GalleyError('MODEL_UNAVAILABLE', 'gone');
    };
    const recorder = await recording(scriptedModel(['a', failing, 'c'.repeat(100_000)]), path);
    await Promise.allSettled(['1', '2', '3', '4'].map((prompt) => recorder.run(ask(prompt), options())));
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(lines.length).toBe(4);
    for (const line of lines) JSON.parse(line);
  });

  it('in a file that is none are refused by the line', async () => {
    for (const text of [
      '',
      'nonsense',
      '{"galley":"replay","version":2,"by":"order"}\n',
      '{"galley":"replay","version":1,"by":"order"}\n{"digest":1}\n',
    ]) {
      const path = newFile();
      writeFileSync(path, text);
      await expect(openReplay(path, 'replay/a')).rejects.toMatchObject({ code: 'MODEL_NOT_CONFIGURED' });
    }
    await expect(recording(scriptedModel(['x']), join(folder, 'no', 'such', 'place'))).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    });
  });
});
