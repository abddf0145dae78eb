// A model whose answers are written down, for a replay. Only whole answers are; a failed run leaves no line.
import { appendFile, writeFile } from 'node:fs/promises';
import { GalleyError } from '../../core/model/error.js';
import type { Model } from '../contract/model.js';
import { type ReplayHeading, type ReplayLine, requestDigest } from '../replay/replay-model.js';

/** Begins the file anew. */
export async function recording(
  model: Model,
  path: string,
  { by = 'digest' }: { by?: ReplayHeading['by'] } = {},
): Promise<Model> {
  const heading: ReplayHeading = { galley: 'replay', version: 1, by };
  await written(writeFile(path, `${JSON.stringify(heading)}\n`, { mode: 0o600 }));
  // One line after the other, however many runs end at once.
  let last: Promise<void> = Promise.resolve();
  return {
    ...model,
    run: async (request, options) => {
      const answer = await model.run(request, options);
      const line: ReplayLine = { digest: requestDigest(request), model: model.id, answer: { ...answer } };
      last = last.catch(() => undefined).then(() => written(appendFile(path, `${JSON.stringify(line)}\n`)));
      await last;
      return answer;
    },
  };
}

async function written(writing: Promise<void>): Promise<void> {
  await writing.catch((cause: unknown) => {
    throw new GalleyError(
      'CONFIG_INVALID',
      'The file for recorded answers cannot be written; name another place.',
      { details: { field: 'recording' }, cause },
    );
  });
}
