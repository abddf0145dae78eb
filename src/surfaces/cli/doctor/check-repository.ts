// The repository one stands in, and the configuration file at its root.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toGalleyError } from '../../../core/model/error.js';
import { openRepository, type Repository } from '../../../git/repository/open-repository.js';
import { settleConfig } from '../../../review/change/read-config.js';
import { parseConfig } from '../../../review/change/review-config.js';
import { configNames } from '../init/init-command.js';
import type { DoctorFinding, Patient } from './finding.js';

export async function checkRepository({ folder }: Patient): Promise<DoctorFinding[]> {
  let repository: Repository;
  let root: string | undefined;
  let kind = '';
  try {
    repository = await openRepository(folder);
    root = repository.topLevel;
    kind = root === undefined ? 'bare' : repository.shallow ? 'shallow' : 'work tree';
  } catch (error) {
    const { code, message, details } = toGalleyError(error);
    if (code === 'NOT_A_REPOSITORY')
      return [{ id: 'repository', status: 'ok', problem: 'no-repository', repair: 'git init' }];
    const repair =
      details?.reason === 'ownership' ? 'git config --global --add safe.directory "$PWD"' : 'git fsck';
    return [{ id: 'repository', status: 'fail', problem: 'broken', found: message, repair }];
  }
  const here: DoctorFinding = { id: 'repository', status: 'ok', found: kind };
  try {
    return root === undefined ? [here] : [here, await checkConfig(root, repository)];
  } finally {
    await repository.close();
  }
}

export async function checkConfig(root: string, repository?: Repository): Promise<DoctorFinding> {
  const texts = new Map<string, string>();
  for (const name of configNames) {
    const text = await readFile(join(root, name), 'utf8').catch(() => undefined);
    if (text !== undefined) texts.set(name, text);
  }
  const names = [...texts.keys()];
  const [name] = names;
  if (name === undefined) return { id: 'config', status: 'ok', problem: 'none', repair: 'galley init' };
  if (names.length > 1)
    return {
      id: 'config',
      status: 'fail',
      problem: 'several',
      found: names.join(', '),
      repair: `git rm ${names.slice(1).join(' ')}`,
    };
  try {
    const config = await parseConfig(name, texts.get(name) ?? '');
    if (repository !== undefined) await settleConfig(repository, name, config);
    return { id: 'config', status: 'ok', found: name };
  } catch (error) {
    const { message } = toGalleyError(error);
    return {
      id: 'config',
      status: 'fail',
      problem: 'invalid',
      found: message,
      repair: 'galley schema config',
    };
  }
}
