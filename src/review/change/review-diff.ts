// The change as people read it: each file's hunks line by line, long lines cut with a count. Files that a review leaves out can be
// read here too.
import * as z from 'zod';
import { textField } from '../../core/model/input.js';
import { type Hunk, hunkLines, type PatchLine } from '../../git/patch/patch.js';
import { streamPatches } from '../../git/patch/stream-patches.js';
import { type OpenReviewOptions, openReview } from './open-review.js';
import { reviewRequest } from './review-request.js';
import { type SecretWatch, secretWatch } from './safe-text.js';

export const diffRequest = reviewRequest.extend({
  /** As `review:changes` names them; all that a review reads when left out. */
  files: z.array(textField(4096).min(1)).min(1).max(1000).optional(),
  /** UTF-16 code units of a line that are given. */
  lineChars: z.int().min(1).max(10_000_000).default(2_000),
  /** Lines of a file that are given. */
  fileLines: z.int().min(1).max(10_000_000).default(4_000),
  redact: z.boolean().optional(),
});

export interface DiffHunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly heading: string;
  /** Each with its sign: a space, + or -. */
  readonly lines: readonly string[];
  /** Lines that are cut, by their place in `lines`, and how much of them is missing. */
  readonly cut: readonly { readonly line: number; readonly chars: number }[];
  /** Places of lines that end the file without a line end. */
  readonly noNewline: readonly number[];
}

export interface FileDiff {
  readonly path: string;
  readonly binary: boolean;
  readonly hunks: readonly DiffHunk[];
  /** Lines that are not given. */
  readonly left: number;
}

export interface ReviewDiff {
  readonly files: readonly FileDiff[];
}

export async function reviewDiff(
  { files, lineChars, fileLines, redact = false, ...request }: z.output<typeof diffRequest>,
  context: OpenReviewOptions,
): Promise<ReviewDiff> {
  return openReview(request, context, async ({ repository, change, kept, signal }) => {
    const asked = files === undefined ? undefined : new Set(files);
    const entries = asked === undefined ? kept : change.entries.filter(({ path }) => asked.has(path));
    const secrets = secretWatch(redact);
    const found = new Map<string, FileDiff>();
    for await (const patch of streamPatches(repository, entries, { signal })) {
      const { path } = patch.entry;
      // A type change has two patches of one path.
      const before = found.get(path) ?? { path, binary: false, hunks: [], left: 0 };
      const given = before.hunks.reduce((sum, { lines }) => sum + lines.length, 0);
      const { hunks, left } = hunksOf(patch.hunks, {
        ...{ lineChars, secrets, path },
        room: fileLines - given,
      });
      found.set(path, {
        path,
        binary: before.binary || patch.binary,
        hunks: [...before.hunks, ...hunks],
        left: before.left + left,
      });
    }
    return { files: [...found.values()] };
  });
}

interface DiffLimits {
  readonly lineChars: number;
  /** Lines that may still be given. */
  readonly room: number;
  readonly secrets: SecretWatch;
  readonly path: string;
}

function hunksOf(hunks: readonly Hunk[], limits: DiffLimits): { hunks: DiffHunk[]; left: number } {
  const shown: DiffHunk[] = [];
  let { room } = limits;
  let left = 0;
  for (const [index, hunk] of hunks.entries()) {
    const all = hunkLines(hunk);
    const lines = all.slice(0, Math.max(0, room));
    left += all.length - lines.length;
    room -= lines.length;
    if (lines.length > 0) shown.push(diffHunk(hunk, lines, { ...limits, index }));
  }
  return { hunks: shown, left };
}

const signs = { context: ' ', added: '+', removed: '-' } as const;

function diffHunk(
  { oldStart, oldCount, newStart, newCount, heading }: Hunk,
  lines: readonly PatchLine[],
  { lineChars, secrets, path, index }: DiffLimits & { readonly index: number },
): DiffHunk {
  // As one text, since a secret may stand on several lines.
  const text = lines.map(({ kind, bytes }) => signs[kind] + bytes.toString('utf8')).join('\n');
  const seen = secrets.see(`${path}\n${index}`, text, path).split('\n');
  const cut: { line: number; chars: number }[] = [];
  const given = seen.map((line, at) => {
    const whole = line.slice(1);
    if (whole.length <= lineChars) return line;
    const kept = whole
      .slice(0, lineChars)
      .toWellFormed()
      .replace(/\ufffd$/, '');
    cut.push({ line: at, chars: whole.length - kept.length });
    return line.slice(0, 1) + kept;
  });
  return {
    ...{ oldStart, oldLines: oldCount, newStart, newLines: newCount },
    heading: heading.toString('utf8').trim().slice(0, lineChars),
    ...{ lines: given, cut },
    noNewline: lines.flatMap(({ noNewline }, at) => (noNewline ? [at] : [])),
  };
}
