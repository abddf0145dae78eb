// What is left to review? Every entry is either kept or omitted with a reason; counts of the omitted come from one call.

import type { Ignore } from 'ignore';
import ignore from 'ignore';
import type { Warning } from '../../core/model/error.js';
import type { ChangeEntry } from '../../git/changes/change-entry.js';
import type { ChangeSet } from '../../git/changes/read-change-set.js';
import { type PathAttributes, readAttributes } from '../../git/objects/read-attributes.js';
import { countLines } from '../../git/patch/count-lines.js';
import type { Repository } from '../../git/repository/open-repository.js';
import { hidingWarnings } from './hiding.js';
import type { Omission } from './omission.js';
import { inPathOrder } from './omission.js';
import { isGenerated, matchRule, type PathMatch, sizeLimit } from './prune-rules.js';
import { readTreeFiles, trustedTree } from './trusted-files.js';

interface PruneOptions {
  /** Lines of the configuration, in the words of .gitignore. */
  readonly ignore?: readonly string[];
  /** The paths somebody asked for; all of them when left out. */
  readonly asked?: ReadonlySet<string> | undefined;
  /** Read by an earlier review; whatever else keeps a file out is said first. */
  readonly readBefore?: ReadonlySet<string> | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Pruned {
  readonly kept: readonly ChangeEntry[];
  readonly omitted: readonly Omission[];
  readonly warnings: readonly Warning[];
  readonly spare: SpareFiles;
}

/** Left out because nobody writes them by hand, and shown where pages have room left. */
export interface SpareFiles {
  readonly entries: readonly ChangeEntry[];
  /** All warnings of the change, once these of the files are shown after all. */
  warningsBeside(shown: ReadonlySet<string>): readonly Warning[];
}

const spareRules = new Set(['output', 'generated-header', 'minified']);
const sourceMap = /\.map$/;
const ignoreFile = '.galleyignore';
const batchBytes = 8_000_000;

export async function prune(
  repository: Repository,
  change: ChangeSet,
  options: PruneOptions = {},
): Promise<Pruned> {
  const { entries } = change;
  const { signal, asked } = options;
  const project = await projectIgnore(repository, change, options.ignore ?? []);
  const reasons = new Map<ChangeEntry, PathMatch>();
  const likely: ChangeEntry[] = [];
  for (const entry of entries) {
    const ruling = project.test(entry.path);
    const match = isAsked(entry, asked) ? matchEntry(entry, ruling) : notAsked;
    if (match !== undefined) reasons.set(entry, match);
    else if (!ruling.unignored) likely.push(entry);
  }
  // Two processes that do not wait for each other.
  const [attributes, { generated, binary, fresh }] = await Promise.all([
    readAttributes(repository, { tree: trustedTree(change), paths: likely, signal }),
    contentsOf(
      repository,
      likely.filter(({ kind }) => kind === 'file'),
      signal,
    ),
  ]);
  for (const entry of generated)
    reasons.set(entry, { rule: 'generated-header', reason: 'generated, says its header' });
  for (const entry of likely) {
    const match = matchAttributes(attributes.get(entry.path));
    if (match !== undefined) reasons.set(entry, match);
  }
  for (const entry of entries)
    if (!reasons.has(entry) && options.readBefore?.has(entry.path)) reasons.set(entry, readBefore);
  const left = entries.filter((entry) => reasons.has(entry));
  const counts = await countLines(repository, left, { signal });
  const omitted = left.map((entry): Omission => {
    const { added = 0, removed = 0 } = counts.get(entry.path) ?? {};
    return { path: entry.path, reason: '', rule: '', ...reasons.get(entry), added, removed };
  });
  const kept = entries.filter((entry) => !reasons.has(entry));
  const warningsBeside = (shown: ReadonlySet<string>) => [
    ...hidingWarnings({
      ...{ mode: change.mode, entries, freshlyGenerated: fresh },
      omitted: omitted.filter(({ path }) => !shown.has(path)),
      binary: binary.filter((entry) => !reasons.has(entry)).map(({ path }) => path),
    }),
    ...(asked !== undefined &&
    entries.length > 0 &&
    omitted.every(({ rule }) => rule === notAsked.rule) &&
    kept.length === 0
      ? [matchesNothing(entries.length)]
      : []),
  ];
  return {
    kept,
    omitted: inPathOrder([...omitted, ...unreadOmissions(change, { project, kept, omitted, asked })]),
    warnings: warningsBeside(new Set()),
    spare: {
      entries: left.filter(
        (entry) => spareRules.has(reasons.get(entry)?.rule ?? '') && !sourceMap.test(entry.path),
      ),
      warningsBeside,
    },
  };
}

interface ProjectIgnore {
  test(path: string): Ruling;
}

interface Ruling {
  readonly ignored: boolean;
  readonly unignored: boolean;
}

const notAsked: PathMatch = { rule: 'not-asked', reason: 'outside the paths asked for' };

const readBefore: PathMatch = { rule: 'reviewed-before', reason: 'unchanged since the last review' };

function matchesNothing(files: number): Warning {
  return {
    code: 'PATHS_MATCH_NOTHING',
    message: `None of the ${files} changed files lies in the paths asked for.`,
    details: { files },
  };
}

/** A file that was moved is asked for by either name. */
function isAsked(
  { path, oldPath }: Pick<ChangeEntry, 'path' | 'oldPath'>,
  asked: ReadonlySet<string> | undefined,
): boolean {
  return asked === undefined || asked.has(path) || (oldPath !== undefined && asked.has(oldPath));
}

function matchEntry(entry: ChangeEntry, ruling: Ruling): PathMatch | undefined {
  if (entry.missing) return { rule: 'not-in-clone', reason: 'its content is not in this partial clone' };
  if (ruling.ignored) return ignoredByProject;
  const size = entry.newSize ?? (entry.newBlob === undefined ? entry.oldSize : undefined) ?? 0;
  if (size >= sizeLimit) return { rule: 'size', reason: 'too large (1,000,000 bytes or more)' };
  return matchName(entry.path, ruling) ?? (inConflict(entry) ? conflict : undefined);
}

function matchName(path: string, { ignored, unignored }: Ruling): PathMatch | undefined {
  if (ignored) return ignoredByProject;
  return unignored ? undefined : matchRule(path);
}

const ignoredByProject: PathMatch = { rule: 'project', reason: "the project's ignore list" };
const conflict: PathMatch = { rule: 'in-conflict', reason: 'in conflict' };
const unreadable: PathMatch = { rule: 'unreadable', reason: 'could not be read' };

/** The index holds three versions of such a path and none that would be committed. */
function inConflict({ status, newBlob }: ChangeEntry): boolean {
  return status === 'unmerged' && newBlob === undefined;
}

interface Sorted {
  readonly project: ProjectIgnore;
  readonly kept: readonly ChangeEntry[];
  readonly omitted: readonly Omission[];
  readonly asked: ReadonlySet<string> | undefined;
}

/** How many lines they hold nobody knows; of a path that is kept an older state is shown. */
function unreadOmissions({ unread }: ChangeSet, { project, kept, omitted, asked }: Sorted): Omission[] {
  const seen = new Set(kept.map(({ path }) => path));
  const known = new Set(omitted.map(({ path }) => path));
  return unread
    .filter((path) => !known.has(path))
    .map((path) => ({
      path,
      ...(isAsked({ path }, asked) ? (matchName(path, project.test(path)) ?? unreadable) : notAsked),
      added: 0,
      removed: 0,
      ...(seen.has(path) ? { partial: true } : {}),
    }));
}

function matchAttributes(attributes: PathAttributes | undefined): PathMatch | undefined {
  if (attributes?.generated) return { rule: 'attribute', reason: 'generated, says .gitattributes' };
  if (attributes?.vendored) return { rule: 'attribute', reason: 'vendored, says .gitattributes' };
  if (attributes?.binary) return { rule: 'attribute', reason: 'binary, says .gitattributes' };
  if (attributes?.noDiff) return { rule: 'attribute', reason: 'not to be compared, says .gitattributes' };
  return undefined;
}

/** What the project leaves out of every review, by the tree that may be trusted. */
export async function projectIgnore(
  repository: Repository,
  change: ChangeSet,
  lines: readonly string[],
): Promise<ProjectIgnore> {
  const file = (await readTreeFiles(repository, trustedTree(change), [ignoreFile])).get(ignoreFile);
  const list: Ignore = ignore({ allowRelativePaths: true }).add([...lines]);
  if (file !== undefined) list.add(file.text);
  return { test: (path) => list.test(path) };
}

interface ContentFacts {
  readonly generated: readonly ChangeEntry[];
  readonly binary: readonly ChangeEntry[];
  /** Paths whose header says so since this change. */
  readonly fresh: ReadonlySet<string>;
}

/** As far as git looks for the byte that no text has. */
const binaryBytes = 8000;

/** Reads no more at once than a few megabytes, whatever the change holds. */
async function contentsOf(
  repository: Repository,
  entries: readonly ChangeEntry[],
  signal: AbortSignal | undefined,
): Promise<ContentFacts> {
  const generated: ChangeEntry[] = [];
  const binary: ChangeEntry[] = [];
  let batch: ChangeEntry[] = [];
  let size = 0;
  const flush = async () => {
    signal?.throwIfAborted();
    const contents = await repository.objects.ask('contents', batch.map(blobOf));
    batch.forEach((entry, index) => {
      const bytes = contents[index]?.bytes;
      if (bytes === undefined) return;
      if (isGenerated(bytes)) generated.push(entry);
      if (bytes.subarray(0, binaryBytes).includes(0)) binary.push(entry);
    });
    batch = [];
    size = 0;
  };
  for (const entry of entries) {
    if (blobOf(entry) === '') continue;
    batch.push(entry);
    size += entry.newSize ?? entry.oldSize ?? 0;
    if (size > batchBytes) await flush();
  }
  await flush();
  const edited = generated.filter(({ oldBlob, newBlob }) => oldBlob !== undefined && newBlob !== undefined);
  const before = await repository.objects.ask(
    'contents',
    edited.map(({ oldBlob = '' }) => oldBlob),
  );
  const said = new Set(edited.filter((_, at) => isGenerated(before[at]?.bytes ?? Buffer.alloc(0))));
  const fresh = generated.filter((entry) => entry.newBlob !== undefined && !said.has(entry));
  return { generated, binary, fresh: new Set(fresh.map(({ path }) => path)) };
}

function blobOf(entry: ChangeEntry): string {
  return entry.newBlob ?? entry.oldBlob ?? '';
}
