// A real proxy on this machine, for tests: it tunnels (CONNECT), passes on calls in absolute form, asks for a login or refuses, and
// keeps what passed. Every host is answered by one server, so that names need not exist.
import { readFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { type AddressInfo, connect, createServer as createNetServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';

export interface TestProxy {
  /** `127.0.0.1:<port>`. */
  readonly address: string;
  readonly passed: readonly Passed[];
}

export interface Passed {
  readonly way: 'tunnel' | 'absolute';
  /** Host and port as the caller named them, or the whole address. */
  readonly to: string;
}

export interface TestProxyOptions {
  /** Origin of the server that stands for every host. */
  readonly server: string;
  /** `user:password` that a caller must have. */
  readonly login?: string;
  /** What a tunnel is answered with instead of being dug. */
  readonly status?: number;
}

const pem = (name: string) =>
  readFileSync(new URL(`../../surfaces/http/testing/test-only-${name}.pem`, import.meta.url));

export async function openProxy({ server, login, status }: TestProxyOptions): Promise<TestProxy> {
  const passed: Passed[] = [];
  const { port, hostname } = new URL(server);
  const wanted = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`;
  const sockets = new Set<Socket>();
  const proxy = createServer((incoming, outgoing) => {
    if (wanted !== undefined && incoming.headers['proxy-authorization'] !== wanted) {
      outgoing.writeHead(407).end();
      return;
    }
    const to = new URL(incoming.url ?? '');
    passed.push({ way: 'absolute', to: to.href });
    const { 'proxy-authorization': _, ...headers } = incoming.headers;
    const call = { hostname, port, path: `${to.pathname}${to.search}`, method: incoming.method, headers };
    const onward = httpRequest(call, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  proxy.on('connect', (incoming, socket: Socket) => {
    const refusal = wanted !== undefined && incoming.headers['proxy-authorization'] !== wanted ? 407 : status;
    if (refusal !== undefined) {
      socket.end(`HTTP/1.1 ${refusal} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    passed.push({ way: 'tunnel', to: incoming.url ?? '' });
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    const inside = new TLSSocket(socket, { isServer: true, cert: pem('certificate'), key: pem('key') });
    const onward = connect(Number(port), hostname);
    for (const [from, to] of [
      [inside, onward],
      [onward, inside],
    ] as const) {
      from.on('error', () => to.destroy());
      from.pipe(to);
    }
  });
  proxy.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => proxy.close(closed));
  });
  return { address: `127.0.0.1:${(proxy.address() as AddressInfo).port}`, passed };
}

/** An address where nobody listens. */
export async function deadAddress(): Promise<string> {
  const server = createNetServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return `127.0.0.1:${port}`;
}
