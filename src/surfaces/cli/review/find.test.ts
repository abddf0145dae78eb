import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { scratchRepository } from '../../../git/testing/scratch-repository.js';
import { speak } from '../words/word.js';
import { findCommand } from './find-command.js';

const repository = scratchRepository();
repository.write('src/session.ts', 'export function sessionExpired() {}\n');
repository.commit('one');
const written: string[] = [];

afterAll(() => repository.dispose());
afterEach(async () => {
  vi.restoreAllMocks();
  written.length = 0;
  await speak('en');
});

async function find(words: readonly string[], options: object = {}): Promise<string> {
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
  await findCommand(words, { repo: repository.folder, in: [], budget: '2000', files: '20', ...options });
  return written.join('');
}

describe('galley find', () => {
  it('refuses a task without words, and waits for no input then', async () => {
    for (const words of [[''], [' ', '\t']])
      await expect(find(words)).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: 'There is no task: give words, an issue or a stack trace.',
      });
  });

  it('looks only below the paths that are named', async () => {
    expect(await find(['session'], { in: ['src'] })).toContain('src/session.ts');
    written.length = 0;
    // Or a misspelt path would read like code that speaks of nothing.
    expect(await find(['session'], { in: ['docs'] })).toMatch(
      /^galley: No source file lies .*\nNothing found/u,
    );
  });

  it('says how many files there are to who asks for what comes after the last', async () => {
    expect(await find(['session'], { from: '9' })).toBe(
      'There are no more: 1 file found in all. Take a smaller --from.\n',
    );
    written.length = 0;
    await speak('zh');
    expect(await find(['session'], { from: '9' })).toBe('没有更多了：一共找到 1 个文件。请减小 --from。\n');
  });
});
