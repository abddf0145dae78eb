// Where this program comes from, so that a build elsewhere can have the very same: the address of its repository and a commit. Of a
// clone that is asked now; of a release the build wrote it down.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { GalleyError } from '../../../core/model/error.js';
import { userEnvironment } from '../../../git/process/environment.js';
import { askGit } from '../../../git/process/run-git.js';
import { readClone } from '../../../git/repository/remotes.js';

export interface ProgramSource {
  /** https, without a login. */
  readonly url: string;
  readonly commit: string;
}

const written = z.strictObject({ url: z.url(), commit: z.string().regex(/^[0-9a-f]{40}$/) });

/** `owner/name@commit` on GitHub, or an address with a commit. */
export function sourceNamed(text: string): ProgramSource {
  const [, place = '', commit = ''] = /^(.+)@([0-9a-f]{40})$/.exec(text) ?? [];
  const url = /^[\w.-]+\/[\w.-]+$/.test(place) ? `https://github.com/${place}` : plainAddress(place);
  if (url === undefined)
    throw new GalleyError(
      'INVALID_ARGUMENT',
      '--from: name a repository and a whole commit, as owner/galley@<40 digits> or https://host/owner/galley@<40 digits>.',
      { details: { field: 'from' } },
    );
  return { url, commit };
}

export async function ownSource(): Promise<ProgramSource | undefined> {
  const root = packageRoot();
  if (existsSync(join(root, '.git'))) {
    const place = { folder: root, environment: userEnvironment(), settings: [] };
    const commit = await askGit(place, ['rev-parse', '--verify', 'HEAD'], { accept: [128] });
    const { remotes } = await readClone(root);
    return read({ url: plainAddress(remotes[0] ?? ''), commit });
  }
  const note = join(root, 'dist', 'source.json');
  return existsSync(note) ? read(JSON.parse(readFileSync(note, 'utf8'))) : undefined;
}

function read(value: unknown): ProgramSource | undefined {
  const found = written.safeParse(value);
  return found.success ? found.data : undefined;
}

/** Over https and without the login it may carry; undefined where it is no address of a host. */
function plainAddress(remote: string): string | undefined {
  const [, host, path] =
    /^(?:https?:\/\/(?:[^@/]*@)?|ssh:\/\/(?:[^@/]*@)?|[\w.-]+@)([\w.-]+(?::\d+)?)[/:]([\w./-]+?)(?:\.git)?\/?$/.exec(
      remote,
    ) ?? [];
  return host === undefined || path === undefined ? undefined : `https://${host}/${path}`;
}

function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}
