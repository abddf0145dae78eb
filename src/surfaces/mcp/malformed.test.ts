// Input that is no protocol: each line gets the right error, and the server goes on.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { lineTransport } from './line-transport.js';

const folder = mkdtempSync(join(tmpdir(), 'galley-mcp-lines-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Answer {
  readonly id: unknown;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

function startServer() {
  const child = spawn(process.execPath, [join(process.cwd(), 'bin/galley.js'), 'mcp', '--all'], {
    cwd: folder,
  });
  let buffer = '';
  let stderr = '';
  const waiting: ((answer: Answer) => void)[] = [];
  const answers: Answer[] = [];
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdout.on('data', (chunk) => {
    buffer += chunk;
    const lines = buffer.split('\n');
    buffer = lines.pop() ?? '';
    for (const line of lines) {
      const answer = JSON.parse(line) as Answer;
      const next = waiting.shift();
      if (next === undefined) answers.push(answer);
      else next(answer);
    }
  });
  const next = () =>
    new Promise<Answer>((resolve) => {
      const ready = answers.shift();
      if (ready === undefined) waiting.push(resolve);
      else resolve(ready);
    });
  return {
    ask: (line: string | Buffer) => {
      child.stdin.write(line);
      child.stdin.write('\n');
      return next();
    },
    tell: (line: string) => child.stdin.write(`${line}\n`),
    end: () => {
      child.stdin.end();
      return new Promise<number | null>((resolve) => child.once('exit', resolve));
    },
    stderr: () => stderr,
  };
}

const rpc = (value: object) => JSON.stringify({ jsonrpc: '2.0', ...value });
const hello = {
  id: 'hello',
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
};

const deepList = JSON.parse(`${'['.repeat(1000)}${']'.repeat(1000)}`) as unknown;

describe('malformed input over standard input', () => {
  it('is refused line by line, and the server goes on', async () => {
    const server = startServer();
    expect(await server.ask('{"jsonrpc":"2.0","id":1,')).toMatchObject({ id: null, error: { code: -32700 } });
    expect(await server.ask(Buffer.from([0x22, 0xff, 0x22]))).toMatchObject({
      id: null,
      error: { code: -32700 },
    });
    expect(await server.ask(rpc(hello))).toMatchObject({
      id: 'hello',
      result: { serverInfo: { name: 'galley' } },
    });
    const cases: [string, unknown, number][] = [
      ['[', null, -32700],
      [`${'['.repeat(5000)}${']'.repeat(5000)}`, null, -32600],
      [rpc({ id: 6, method: 'ping', params: { a: deepList } }), null, -32600],
      [`[${rpc({ id: 1, method: 'ping' })}]`, null, -32600],
      ['[]', null, -32600],
      ['42', null, -32600],
      ['{}', null, -32600],
      [JSON.stringify({ jsonrpc: '1.0', id: 7, method: 'ping' }), 7, -32600],
      [JSON.stringify({ id: 8, method: 'ping' }), 8, -32600],
      [rpc({ id: { a: 1 }, method: 'ping' }), null, -32600],
      [rpc({ id: 9, method: 5 }), 9, -32600],
      [rpc({ id: 10, method: 'no/such' }), 10, -32601],
      [rpc({ id: 11, method: 'tools/call', params: { name: 5 } }), 11, -32602],
      [rpc({ id: 12, method: 'tools/call' }), 12, -32602],
    ];
    for (const [line, id, code] of cases) {
      expect(await server.ask(line), line).toMatchObject({ id, error: { code } });
    }
    server.tell('');
    server.tell(rpc({ id: 99, result: {} }));
    server.tell(JSON.stringify({ id: 98, error: { code: 1 } }));
    server.tell(rpc({ method: 'notifications/nothing' }));
    expect(await server.ask(rpc({ id: 13, method: 'ping' }))).toEqual({ jsonrpc: '2.0', id: 13, result: {} });
    expect(await server.end()).toBe(0);
    expect(server.stderr()).toBe('');
  });

  it('does not keep a line that is too long', async () => {
    const server = startServer();
    await server.ask(rpc(hello));
    const huge = Buffer.alloc(33 * 1024 * 1024, 0x61);
    expect(await server.ask(huge)).toMatchObject({ id: null, error: { code: -32015 } });
    expect(await server.ask(rpc({ id: 2, method: 'ping' }))).toMatchObject({ id: 2, result: {} });
    expect(await server.end()).toBe(0);
  });
});

describe('lines', () => {
  it('are the same however the bytes arrive in pieces', async () => {
    const message = fc.record({ method: fc.string({ unit: 'grapheme', minLength: 1 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 6 }), fc.array(fc.nat(60)), async (messages, cuts) => {
        const lines = messages.map((each) => `${rpc(each)}\n`);
        const bytes = Buffer.from(lines.join(''));
        const mostBytes = Math.max(1, ...lines.map((line) => Buffer.byteLength(line) - 1));
        const input = new PassThrough();
        const transport = lineTransport({ input, output: new PassThrough(), mostBytes });
        const heard: unknown[] = [];
        transport.onmessage = (heardMessage) => heard.push((heardMessage as { method: string }).method);
        await transport.start();
        let at = 0;
        for (const cut of cuts) {
          if (cut > 0) input.write(bytes.subarray(at, at + cut));
          at += cut;
        }
        input.end(bytes.subarray(Math.min(at, bytes.length)));
        await transport.closed;
        expect(heard).toEqual(messages.map(({ method }) => method));
      }),
      { numRuns: 60 },
    );
  });

  it('are not read on while their answers are not taken', async () => {
    const input = new PassThrough();
    const output = new PassThrough({ highWaterMark: 10 });
    const transport = lineTransport({ input, output, mostBytes: 1000 });
    let heard = 0;
    transport.onmessage = () => {
      heard += 1;
      void transport.send({ jsonrpc: '2.0', method: 'x'.repeat(100) });
    };
    await transport.start();
    const line = `${rpc({ method: 'a' })}\n`;
    const send = async (times: number) => {
      for (let sent = 0; sent < times; sent += 1) {
        input.write(line);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await send(100);
    expect(heard).toBeLessThan(20);
    output.resume();
    await vi.waitFor(() => expect(heard).toBe(100));
  });

  it('with more requests than can wait are refused, and heard again once others are answered or cancelled', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const transport = lineTransport({ input, output });
    const heard: unknown[] = [];
    transport.onmessage = (message) => heard.push((message as { id?: unknown }).id);
    let said = '';
    output.on('data', (chunk) => {
      said += chunk;
    });
    await transport.start();
    const ask = (from: number, to: number) => {
      for (let id = from; id < to; id += 1) input.write(`${rpc({ id, method: 'ping' })}\n`);
    };
    ask(0, 600);
    await vi.waitFor(() => expect(said.trim().split('\n')).toHaveLength(88));
    expect(JSON.parse(said.split('\n')[0] ?? '')).toMatchObject({ id: 512, error: { code: -32027 } });
    expect(heard).toHaveLength(512);
    await transport.send({ jsonrpc: '2.0', id: 0, result: {} });
    input.write(`${rpc({ method: 'notifications/cancelled', params: { requestId: 1 } })}\n`);
    ask(600, 603);
    await vi.waitFor(() => expect(said).toContain('"id":602'));
    expect(heard.slice(512)).toEqual([undefined, 600, 601]);
  });

  it('end when the reader of the answers goes away', async () => {
    const output = new PassThrough();
    const transport = lineTransport({ input: new PassThrough(), output });
    await transport.start();
    output.destroy(Object.assign(new Error('gone'), { code: 'EPIPE' }));
    await transport.closed;
  });
});
