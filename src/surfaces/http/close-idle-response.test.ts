import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { closeIdleResponse } from './careful-server.js';

async function meet(answer: (outgoing: import('node:http').ServerResponse) => void) {
  const server = createServer((_, outgoing) => {
    closeIdleResponse(outgoing, 100);
    answer(outgoing);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined).write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  const accepted = (await once(server, 'connection'))[0] as import('node:net').Socket;
  const end = async () => {
    socket.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { socket, accepted, end };
}

describe('a caller', () => {
  it('that never takes its answer is let go, whether the answer is whole or still growing', async () => {
    for (const isWhole of [true, false]) {
      const { socket, accepted, end } = await meet((outgoing) => {
        const much = Buffer.alloc(64 * 1024 * 1024);
        if (isWhole) outgoing.end(much);
        else outgoing.write(much);
      });
      socket.pause();
      await once(accepted, 'close');
      await end();
    }
  });

  it('that waits for its answer is not', async () => {
    const { socket, end } = await meet(async (outgoing) => {
      outgoing.write('begun');
      await once(outgoing, 'timeout');
      outgoing.end('ended');
    });
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk;
    });
    await once(socket, 'close');
    expect(heard).toContain('ended');
    await end();
  });
});
