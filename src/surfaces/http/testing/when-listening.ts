// A `galley serve` that was started, from the moment it says where it listens.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect, vi } from 'vitest';

export async function whenListening(child: ChildProcess) {
  const ended = once(child, 'close');
  let talk = '';
  child.stderr?.on('data', (chunk) => {
    talk += chunk;
  });
  const address = await vi.waitFor(() => {
    const found = /listening on (https?:\/\/127\.0\.0\.1:\d+)\n/.exec(talk)?.[1];
    expect(found, talk).toBeDefined();
    return found as string;
  }, 30_000);
  return { ended, address, talk: () => talk };
}
