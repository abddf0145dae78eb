// What past commits said, as terms, and which files they touched.
import { LRUCache } from 'lru-cache';
import { isGalleyError } from '../../core/model/error.js';
import { readHistory } from '../../git/objects/history.js';
import type { Repository } from '../../git/repository/open-repository.js';
import { countTerms } from './tree-words.js';

export interface ToldCommit {
  /** By their number, ascending. */
  readonly terms: Int32Array;
  /** None where it touched more than can be meant. */
  readonly paths: readonly string[];
}

const maxCommits = 3_000;
const maxTouched = 20;
const maxMessage = 2_000;
const told = new LRUCache<string, Promise<readonly ToldCommit[]>>({ max: 8 });

/** Newest first; none where a clone has no history to tell. */
export async function readToldCommits(
  repository: Repository,
  commit: string,
  signal: AbortSignal | undefined,
): Promise<readonly ToldCommit[]> {
  const known = told.get(commit);
  if (known !== undefined) return known;
  const reading = read(repository, commit, signal);
  told.set(commit, reading);
  reading.catch(() => told.delete(commit));
  return reading;
}

async function read(
  repository: Repository,
  commit: string,
  signal: AbortSignal | undefined,
): Promise<ToldCommit[]> {
  try {
    const question = { commits: maxCommits, largest: maxTouched, messages: true, signal };
    const past = await readHistory(repository, commit, question);
    return past.map(({ message, paths }) => ({
      terms: countTerms(Buffer.from(message.slice(0, maxMessage))).terms,
      paths,
    }));
  } catch (error) {
    // Finding without history is still finding: shallow and partial clones have little or none.
    if (isGalleyError(error) && error.code === 'GIT_FAILED') return [];
    throw error;
  }
}
