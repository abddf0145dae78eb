// A throw-away repository whose branch `topic` stands checked out and adds the given files to `main`.
import { type ScratchRepository, scratchRepository } from './scratch-repository.js';

/** On `main` there is `src/a.ts` alone. */
export function topicRepository(files: Readonly<Record<string, string>>): ScratchRepository {
  const repository = scratchRepository();
  repository.write('src/a.ts', 'export const a = 1;\n');
  repository.commit('before');
  repository.git('checkout', '-q', '-b', 'topic');
  for (const [path, text] of Object.entries(files)) repository.write(path, text);
  repository.commit('after');
  return repository;
}
