// A private folder for one run: places for the system text and the output, and an empty folder to stand in. It is gone afterwards.
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Scratch {
  readonly systemFile: string;
  readonly outputFile: string;
  readonly emptyFolder: string;
  writeSystem(text: string): Promise<void>;
}

const inUse = new Set<string>();

function sweep(): void {
  for (const folder of inUse) rmSync(folder, { recursive: true, force: true });
}

export async function withScratch<T>(work: (scratch: Scratch) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'galley-agent-'));
  if (inUse.size === 0) process.on('exit', sweep);
  inUse.add(folder);
  try {
    const systemFile = join(folder, 'system.md');
    const emptyFolder = join(folder, 'empty');
    await mkdir(emptyFolder, { mode: 0o700 });
    return await work({
      systemFile,
      outputFile: join(folder, 'output'),
      emptyFolder,
      writeSystem: (text) => writeFile(systemFile, text, { mode: 0o600 }),
    });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
    inUse.delete(folder);
    if (inUse.size === 0) process.off('exit', sweep);
  }
}
