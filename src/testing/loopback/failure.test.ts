// Every scripted failure as a caller without an SDK sees it, in every protocol, streamed and not.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Failure } from './failure.js';
import { type Loopback, openLoopback } from './open-loopback.js';
import { callRaw, rawRequests } from './raw-caller.js';

let loopback: Loopback;
beforeAll(async () => {
  loopback = await openLoopback();
});
beforeEach(() => loopback.forgetCalls());
afterAll(() => loopback.close());

const lastEvents = {
  anthropic: '"message_stop"',
  responses: '"response.completed"',
  chat: '[DONE]',
  gemini: '"finishReason"',
};
const errorEvents = {
  anthropic: '"overloaded_error"',
  responses: '"response.failed"',
  chat: '"server_error"',
  gemini: '"UNAVAILABLE"',
};
const settled = async () => {
  while (loopback.calls.at(-1)?.ending === 'open') await new Promise(setImmediate);
  return loopback.calls.at(-1)?.ending;
};

for (const name of ['anthropic', 'responses', 'chat', 'gemini'] as const) {
  for (const stream of [false, true]) {
    const how = `${name}, ${stream ? 'streamed' : 'in one piece'}`;
    const call = (failure: Failure, until?: string) => {
      loopback.play(failure);
      return callRaw(loopback.url, {
        ...rawRequests[name](stream),
        ...(until === undefined ? {} : { until }),
      });
    };

    describe(how, () => {
      it('answers a status with an error in the words of the protocol', async () => {
        for (const status of [400, 401, 403, 404, 413, 429, 500, 503, 529]) {
          const seen = await call({ kind: 'status', status, message: 'No.' });
          expect(seen).toMatchObject({ status, end: 'whole' });
          expect(JSON.parse(seen.text).error.message).toBe('No.');
        }
      });

      it('says when to come back: in seconds, as a date, in milliseconds', async () => {
        const date = new Date('2026-11-15T13:00:00Z');
        const seconds = await call({ kind: 'status', status: 429, retryAfter: 7 });
        expect(seconds.headers['retry-after']).toBe('7');
        const dated = await call({ kind: 'status', status: 503, retryAfter: date, retryAfterMs: 40 });
        expect(dated.headers['retry-after']).toBe('Sun, 15 Nov 2026 13:00:00 GMT');
        expect(dated.headers['retry-after-ms']).toBe('40');
      });

      it('resets the connection before a header', async () => {
        expect(await call({ kind: 'reset' })).toMatchObject({ status: 0, end: 'broken' });
      });

      it('keeps silent before headers, after headers, after a chunk, until the caller leaves', async () => {
        const leave = new AbortController();
        loopback.play({ kind: 'stall', after: 'nothing' });
        const silent = callRaw(loopback.url, { ...rawRequests[name](stream), signal: leave.signal });
        while (loopback.calls.length === 0) await new Promise(setImmediate);
        leave.abort();
        expect(await silent).toMatchObject({ status: 0, end: 'left' });
        expect(await settled()).toBe('left');
        expect(await call({ kind: 'stall', after: 'headers' }, '')).toMatchObject({ status: 200, text: '' });
        expect(await settled()).toBe('left');
        const begun = await call({ kind: 'stall' }, stream ? 'Hel' : '{');
        expect(begun.text).not.toContain(lastEvents[name]);
        expect(isJson(begun.text)).toBe(false);
        expect(await settled()).toBe('left');
      });

      it('begins late and answers whole', async () => {
        for (const after of ['nothing', 'headers'] as const) {
          const seen = await call({ kind: 'slow', ms: 5, after });
          expect(seen).toMatchObject({ status: 200, end: 'whole' });
          expect(seen.text).toContain(stream ? 'wörld' : 'Hello wörld');
        }
      });

      it('cuts between two events, inside an event, inside a character', async () => {
        const early = await call({ kind: 'cut', at: 'before-final' });
        expect(early).toMatchObject({ status: 200, end: 'broken' });
        if (stream) expect(early.text).toContain('wörld');
        expect(early.text).not.toContain(lastEvents[name]);
        const torn = await call({ kind: 'cut', at: 'mid-event' });
        expect(torn.end).toBe('broken');
        expect(torn.text.length).toBeGreaterThan(0);
        expect(torn.text.endsWith('\n\n')).toBe(false);
        const half = await call({ kind: 'cut', at: 'mid-character', reply: { text: 'Hi' } });
        expect(half.end).toBe('broken');
        expect(half.bytes.at(-1)).toBe(Buffer.from('界')[0]);
        expect((await call({ kind: 'cut', at: 'before-final', cleanly: true })).end).toBe('whole');
      });

      it('breaks the JSON of the body, or of one event', async () => {
        const body = await call({ kind: 'malformed-body' });
        expect(body).toMatchObject({ status: 200, end: 'whole' });
        expect(() => JSON.parse(body.text)).toThrow();
        const event = await call({ kind: 'malformed-event' });
        if (stream) {
          const broken = dataOf(event.text).filter((data) => data !== '[DONE]' && !isJson(data));
          expect(broken).toHaveLength(1);
          expect(event.text).toContain(lastEvents[name]);
        } else expect(isJson(event.text)).toBe(false);
      });

      it('tells an error inside a stream that began well', async () => {
        const seen = await call({ kind: 'error-event', message: 'Later.' });
        expect(seen.text).toContain('Later.');
        if (!stream) return expect(seen.status).toBe(500);
        expect(seen).toMatchObject({ status: 200, end: 'whole' });
        expect(seen.text).toContain(errorEvents[name]);
        expect(seen.text).not.toContain(lastEvents[name]);
      });

      it('says the last events twice', async () => {
        const seen = await call({ kind: 'duplicate-final' });
        const times = seen.text.split(lastEvents[name]).length - 1;
        if (stream) expect(times).toBeGreaterThanOrEqual(2);
        else expect(isJson(seen.text)).toBe(true);
      });

      it('answers nothing, prose, half a JSON, another shape', async () => {
        for (const kind of ['empty', 'prose', 'half-json', 'wrong-schema'] as const) {
          const seen = await call({ kind });
          expect(seen).toMatchObject({ status: 200, end: 'whole' });
          if (kind === 'wrong-schema') expect(seen.text).toContain('unexpected');
          if (kind === 'empty') expect(seen.text).not.toContain('ö');
        }
      });

      it('answers ten megabytes', async () => {
        const seen = await call({ kind: 'huge' });
        expect(seen.end).toBe('whole');
        expect(seen.bytes.length).toBeGreaterThan(10 * 1024 * 1024);
      });

      it('answers without end, or only keeps the line alive, until the caller leaves', async () => {
        const endless = await call({ kind: 'endless', everyMs: 0 }, stream ? '说了又说' : '{');
        expect(endless).toMatchObject({ status: 200, end: 'left' });
        expect(await settled()).toBe('left');
        const alive = await call({ kind: 'keep-alive', everyMs: 1 }, '\n');
        expect(alive.text).not.toContain('Hel');
        expect(await settled()).toBe('left');
      });
    });
  }
}

it('refuses connections while it is down', async () => {
  const request = rawRequests.chat(false);
  loopback.play('Hello');
  await loopback.down();
  expect((await callRaw(loopback.url, request)).end).toBe('refused');
  await loopback.up();
  expect((await callRaw(loopback.url, request)).status).toBe(200);
});

function dataOf(stream: string): string[] {
  return stream.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
