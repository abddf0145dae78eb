// Agent CLIs of our own in a folder for the PATH, under the names of the real ones, and what they were given.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Received } from './law.js';

export const agentNames = ['claude', 'codex', 'gemini'] as const;

const script = join(process.cwd(), 'test/wire/plain-agent.mjs');

export interface PlainAgents {
  /** For the front of the PATH. */
  readonly folder: string;
  received(): Received[];
  say(words: readonly string[]): void;
}

export function installPlainAgents(folder: string): PlainAgents {
  mkdirSync(folder, { recursive: true });
  const kept = join(folder, 'calls.jsonl');
  for (const name of agentNames) {
    const words = [process.execPath, script, name, folder].map((word) => `'${word}'`).join(' ');
    writeFileSync(join(folder, name), `#!/bin/sh\nexec ${words} "$@"\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return {
    folder,
    received() {
      if (!existsSync(kept)) return [];
      const lines = readFileSync(kept, 'utf8')
        .split('\n')
        .filter((line) => line !== '');
      rmSync(kept);
      return lines.map((line): Received => {
        const { by, system, prompt } = JSON.parse(line) as Record<'by' | 'system' | 'prompt', string>;
        const text = (encoded: string) => Buffer.from(encoded, 'base64').toString('utf8');
        return { by, system: text(system), prompt: text(prompt) };
      });
    },
    say(words) {
      rmSync(kept, { force: true });
      writeFileSync(join(folder, 'words.json'), JSON.stringify(words));
    },
  };
}
