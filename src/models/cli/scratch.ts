// A private folder for one run: places for the system text and the output, and an empty folder to stand in. It is gone afterwards.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTempFolder, removeTempFolder } from '../../temp/temp-folder.js';

export interface Scratch {
  readonly systemFile: string;
  readonly outputFile: string;
  readonly emptyFolder: string;
  writeSystem(text: string): Promise<void>;
}

export async function withScratch<T>(work: (scratch: Scratch) => Promise<T>): Promise<T> {
  const folder = makeTempFolder('agent');
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
    await removeTempFolder(folder).catch(() => undefined);
  }
}
