import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ScratchRepository } from '../../../git/testing/scratch-repository.js';
import { topicRepository } from '../../../git/testing/topic-repository.js';
import { programFor } from '../program.js';
import { jsonAnswer } from './operation-commands.js';

const home = process.cwd();
let repository: ScratchRepository;

beforeAll(() => {
  repository = topicRepository({ 'src/a.ts': 'export const a = 2;\n', 'yarn.lock': 'x\n' });
  process.chdir(repository.folder);
  for (const name of ['GALLEY_MODEL', 'GALLEY_STORE']) vi.stubEnv(name, undefined);
});
afterAll(() => {
  process.chdir(home);
  process.exitCode = undefined;
  vi.unstubAllEnvs();
  repository.dispose();
});

async function printed(words: readonly string[]): Promise<unknown> {
  let text = '';
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((part) => {
    text += String(part);
    return true;
  });
  const talk = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    await programFor(words[0] ?? '').parseAsync([...words, '--json'], { from: 'user' });
  } finally {
    out.mockRestore();
    talk.mockRestore();
  }
  return JSON.parse(text);
}

describe('--json', () => {
  it.each([
    ['review', ['review']],
    ['review', ['review', '--out', '.git/pages']],
    ['review', ['review', '--dry-run']],
    ['completion', ['completion', 'bash']],
    ['doctor', ['doctor']],
    ['init', ['init', '--dry-run']],
    ['mcp install', ['mcp', 'install', '--client', 'claude']],
    ['token', ['token']],
    ['token create', ['token', 'create', '--expires', '30d', '--limit-calls', '9']],
    ['token list', ['token', 'list']],
    ['schema', ['schema']],
    ['schema', ['schema', 'agents:assemble']],
  ])('of %s prints what its schema says: galley %j', async (command, words) => {
    const answer = await printed(words);
    expect((await jsonAnswer(command))?.safeParse(answer)).toEqual({ success: true, data: answer });
  });
});
