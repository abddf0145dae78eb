// Peers as files that Node itself can start in a thread or a process of their own.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';

const engine = new URL('./engine-peer.ts', import.meta.url);
const caller = new URL('./caller-peer.ts', import.meta.url);

export interface BuiltPeers {
  readonly engine: string;
  readonly caller: string;
  dispose(): void;
}

export async function buildPeers(): Promise<BuiltPeers> {
  // Inside the project, where packages are found.
  mkdirSync('dist', { recursive: true });
  const outDir = mkdtempSync(resolve('dist', 'ipc-peers-'));
  await build({
    entry: { engine: fileURLToPath(engine), caller: fileURLToPath(caller) },
    outDir,
    format: 'esm',
    target: 'node20',
    platform: 'node',
    splitting: true,
    silent: true,
    config: false,
    dts: false,
    clean: false,
    outExtension: () => ({ js: '.mjs' }),
  });
  return {
    engine: join(outDir, 'engine.mjs'),
    caller: join(outDir, 'caller.mjs'),
    dispose: () => rmSync(outDir, { recursive: true, force: true }),
  };
}
