// Files of the change and of the tree around it, as they may leave the machine. Secrets are looked for in whole files: a part of one may
// not show what it is a part of.
import { type CleanText, cleanLines, hitsOf } from '../../cleaning/clean-text.js';
import type { LineRange } from '../../code/range-evidence.js';
import type { FinishHits } from '../../core/model/fragment.js';
import { isReadBefore } from '../change/omission.js';
import type { ReviewContext } from '../change/open-review.js';
import { projectIgnore } from '../change/prune.js';
import type { FindingSide } from '../findings/finding.js';
import { type ChangedFile, type FileSide, type TreeLibrary, treeLibrary } from '../units/changed-file.js';

export interface CleanLines {
  readonly text: string;
  readonly hits: FinishHits;
}

interface Place extends LineRange {
  readonly path: string;
  readonly side: FindingSide;
}

export interface CleanTree {
  readonly library: TreeLibrary;
  /** Lines of one side; none where there is no such file, or it has no such lines. */
  lines(place: Place): Promise<CleanLines>;
  /** Tells the paths that no review reads: they are not shown to anybody who asks for them. */
  withheld(): Promise<(path: string) => boolean>;
}

export function cleanTree(
  { repository, change, config, omitted, signal }: ReviewContext,
  files: readonly ChangedFile[],
): CleanTree {
  const unread = new Set(omitted.flatMap((omission) => (isReadBefore(omission) ? [] : [omission.path])));
  const known = files.flatMap(({ after }) => after ?? []);
  const library = treeLibrary(repository, { tree: change.newTree, known, unread, signal });
  const before = new Map(
    files.flatMap((file) => (file.before === undefined ? [] : [[file.before.path, file.before]])),
  );
  const sideOf = async ({ path, side }: Place): Promise<FileSide | undefined> =>
    side === 'old' ? before.get(path) : (await library.open([path])).get(path);
  const cleaned = new Map<string, { readonly lines: readonly string[]; readonly clean: CleanText }>();
  let ignored: ReturnType<typeof projectIgnore> | undefined;
  return {
    library,
    async lines(place) {
      const { path, side, startLine, endLine } = place;
      const key = `${side}:${path}`;
      let found = cleaned.get(key);
      if (found === undefined) {
        const text = (await sideOf(place))?.text ?? '';
        const clean = cleanLines(text, path, (index) => ({ path, side, line: index + 1 }));
        found = { clean, lines: text === '' ? [] : clean.text.replace(/\n$/, '').split('\n') };
        cleaned.set(key, found);
      }
      const isHere = ({ line = 0 }: { readonly line?: number }) => line >= startLine && line <= endLine;
      const { redactions, hidden } = found.clean;
      return {
        text: found.lines.slice(startLine - 1, endLine).join('\n'),
        hits: hitsOf({ redactions: redactions.filter(isHere), hidden: hidden.filter(isHere) }),
      };
    },
    async withheld() {
      ignored ??= projectIgnore(repository, change, config.ignore ?? []);
      const { test } = await ignored;
      return (path) => unread.has(path) || test(path).ignored;
    },
  };
}
