// Writes bench/find/tasks.json: for every repository the commit up to which its fixes are taken, and the hash of each task. Run once,
// before anything is learned.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitDirectory } from '../quality/repositories.js';
import { fixesIn, git, hashOf, heldOut, issuesOf, teaching } from './tasks.js';

const list: Record<string, { head: string; tasks: string[] }> = {};
for (const repository of [...teaching, ...heldOut, 'langchain']) {
  const directory = gitDirectory(repository);
  if (directory === undefined) continue;
  const head = git(directory, 'rev-parse', 'HEAD').trim();
  const fixes = repository === 'langchain' ? [] : fixesIn(repository, directory, head);
  const tasks = [...fixes, ...issuesOf(repository)].map(hashOf);
  list[repository] = { head, tasks };
  console.log(repository, tasks.length);
}
writeFileSync(join('bench', 'find', 'tasks.json'), `${JSON.stringify(list, undefined, 1)}\n`);
