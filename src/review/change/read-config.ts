// The settings a review runs under: those of the repository, over those of the organisation where it extends them. A shared
// configuration is pinned by a full commit id, which is a hash of every byte it stands for, and is read from the objects of this
// clone: where they came from does not matter, and no review asks the network.
import type { Repository } from '../../git/repository/open-repository.js';
import { invalidConfig, parseConfig, type ReviewConfig, type SharedConfig } from './review-config.js';
import { readTreeFiles } from './trusted-files.js';

export interface SettledConfig extends Omit<ReviewConfig, 'extends'> {
  /** The commit whose file the skill is; a file of the repository where left out. */
  readonly skillFrom?: string;
}

export const configNames = ['galley.config.json', 'galley.config.yaml', 'galley.config.yml'];

export async function readConfig(repository: Repository, tree: string): Promise<SettledConfig> {
  const files = await readTreeFiles(repository, tree, configNames);
  const present = configNames.filter((name) => files.has(name));
  if (present.length > 1) throw invalidConfig(present.join(', '), 'there are several; keep one');
  const [name] = present;
  return name === undefined
    ? {}
    : settleConfig(repository, name, await parseConfig(name, files.get(name)?.text ?? ''));
}

/** What is said here comes before what is shared; of lists both count, the shared ones first. */
export async function settleConfig(
  repository: Repository,
  name: string,
  { extends: from, ...own }: ReviewConfig,
): Promise<SettledConfig> {
  if (from === undefined) return own;
  const { extends: further, ...shared } = await readShared(repository, name, from);
  if (further !== undefined)
    throw invalidConfig(name, 'what it extends may not extend another; name that one here', {
      field: 'extends',
    });
  const ignore = [...(shared.ignore ?? []), ...(own.ignore ?? [])];
  const rules = joined(shared.rules, own.rules, ({ id }) => id);
  const related = joined(shared.related, own.related, ({ name }) => name);
  return {
    ...shared,
    ...own,
    ...(ignore.length === 0 ? {} : { ignore }),
    ...(rules.length === 0 ? {} : { rules }),
    ...(related.length === 0 ? {} : { related }),
    ...(own.skill === undefined && shared.skill !== undefined ? { skillFrom: from.revision } : {}),
  };
}

/** An own one takes the place of a shared one of the same name. */
function joined<T>(shared: readonly T[] = [], own: readonly T[] = [], nameOf: (one: T) => unknown): T[] {
  const names = new Set(own.map(nameOf));
  return [...shared.filter((one) => !names.has(nameOf(one))), ...own];
}

async function readShared(
  repository: Repository,
  name: string,
  { repository: source, revision, path }: SharedConfig,
): Promise<ReviewConfig> {
  const [found] = await repository.objects.ask('info', [revision]);
  if (found === undefined)
    throw invalidConfig(
      name,
      `the commit it extends is not in this clone; git fetch ${source} +${revision}:refs/galley/shared brings it`,
      { field: 'extends.revision' },
    );
  if (found.type !== 'commit')
    throw invalidConfig(name, `extends.revision is a ${found.type}; name a commit`, {
      field: 'extends.revision',
    });
  const file = (await readTreeFiles(repository, revision, [path])).get(path);
  if (file === undefined)
    throw invalidConfig(name, 'extends.path is not a file of that commit', { field: 'extends.path' });
  return parseConfig(`${revision.slice(0, 10)}:${path}`, file.text);
}
