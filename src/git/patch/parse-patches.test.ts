import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ParsedPatch, parsePatches } from './parse-patches.js';

const file = (index: number) =>
  Buffer.from(
    [
      `diff --git a/${index} b/${index}`,
      'index 1..2 100644',
      `--- a/${index}`,
      `+++ b/${index}`,
      '@@ -1,3 +1,4 @@ heading @@ odd',
      ' one',
      '-- removed',
      '+++ b/evil.ts',
      '+@@ -9 +9 @@',
      '',
      '@@ -20 +21 @@',
      '-diff --git a/x b/x\r',
      '\\ No newline at end of file',
      '+\\ No newline at end of file',
      '',
    ].join('\n'),
  );
const binary = Buffer.from('diff --git a/9 b/9\nindex 3..4 100644\nBinary files a/9 and b/9 differ\n');
const stream = Buffer.concat([file(1), binary, file(2)]);

async function* inChunks(cuts: readonly number[]): AsyncGenerator<Buffer> {
  const borders = [0, ...[...cuts].sort((left, right) => left - right), stream.length];
  for (let index = 1; index < borders.length; index += 1)
    yield stream.subarray(borders[index - 1], borders[index]);
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<ParsedPatch[]> {
  const patches: ParsedPatch[] = [];
  for await (const patch of parsePatches(chunks)) patches.push(patch);
  return patches;
}

describe('the reader of patches', () => {
  it('ends hunks by their counters, whatever their lines look like [diff.entries]', async () => {
    const patches = await collect(inChunks([]));
    expect(patches.map(({ hunks }) => hunks.length)).toEqual([2, 0, 2]);
    expect(
      patches[0]?.hunks.map(({ oldStart, oldCount, newCount, added, removed }) => [
        oldStart,
        oldCount,
        newCount,
        added,
        removed,
      ]),
    ).toEqual([
      [1, 3, 4, 2, 1],
      [20, 1, 1, 1, 1],
    ]);
    expect(`${patches[0]?.hunks[0]?.heading}`).toBe(' heading @@ odd');
    expect(patches[0]?.hunks[1]?.removedReturns).toBe(1);
  });

  it('gives the same result wherever the stream is cut', async () => {
    const whole = await collect(inChunks([]));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(stream.length), { maxLength: 40 }), async (cuts) => {
        expect(await collect(inChunks(cuts))).toEqual(whole);
      }),
      { numRuns: 200 },
    );
  });

  it('hands out a file as soon as the next one begins, without reading on [diff.stream]', async () => {
    let sent = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) {
        sent += 1;
        yield file(sent);
      }
    }
    for await (const patch of parsePatches(endless())) {
      expect(patch.header[0]).toBe('diff --git a/1 b/1');
      break;
    }
    expect(sent).toBe(2);
  });
});
