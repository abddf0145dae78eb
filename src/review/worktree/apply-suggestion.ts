// A suggested change put into the work tree: whole lines of a file that still is, byte for byte, what was reviewed.
import { isUtf8 } from 'node:buffer';
import { resolve } from 'node:path';
import * as z from 'zod';
import { GalleyError } from '../../core/model/error.js';
import { textField } from '../../core/model/input.js';
import { askGit } from '../../git/process/run-git.js';
import type { Repository } from '../../git/repository/open-repository.js';
import { findingLimits } from '../findings/finding.js';
import { changedMeanwhile, inWorkTree, readTreeFile, replaceTreeFile } from './tree-file.js';

const line = z.int().min(1).max(findingLimits.line);

export const applyRequest = z.strictObject({
  repo: textField(4096).min(1).default('.'),
  path: textField(findingLimits.path).min(1),
  blob: textField(64)
    .regex(/^[0-9a-f]{40,64}$/)
    .describe('of the file as it was reviewed: newBlob of review:changes, or blob of the last answer'),
  startLine: line,
  endLine: z
    .int()
    .min(0)
    .max(findingLimits.line)
    .describe('inclusive; one less than startLine puts the lines before it, where exact is set'),
  replacement: textField(findingLimits.replacement).describe(
    'whole lines without the last line end; empty text deletes them',
  ),
  exact: z
    .boolean()
    .default(false)
    .describe('the replacement has its own line ends: what an answer called replaced'),
});

export interface AppliedSuggestion {
  readonly path: string;
  /** Of the file as it stands now. */
  readonly blob: string;
  /** By how many lines the file grew. */
  readonly grew: number;
  /** What stood there, to the byte. */
  readonly replaced: string;
}

export async function applySuggestion(
  { repo, path, blob, startLine, endLine, replacement, exact }: z.output<typeof applyRequest>,
  { folder, signal }: { readonly folder: string; readonly signal?: AbortSignal | undefined },
): Promise<AppliedSuggestion> {
  return inWorkTree(resolve(folder, repo), async (repository, topLevel) => {
    const before = await readTreeFile(topLevel, path);
    const asReviewed = { path, signal };
    if (before === undefined || !(await blobIdsOf(repository, before, asReviewed)).includes(blob))
      throw changedMeanwhile();
    if (!isUtf8(before))
      throw new GalleyError('FILE_UNREADABLE', 'path: the file is not UTF-8; change it by hand.', {
        details: { field: 'path' },
      });
    const after = withLines(before.toString('utf8'), { startLine, endLine, replacement, exact });
    const bytes = Buffer.from(after.text);
    await replaceTreeFile(topLevel, path, { before, after: bytes });
    const [now = ''] = await blobIdsOf(repository, bytes, asReviewed);
    return { path, blob: now, grew: after.grew, replaced: after.replaced };
  });
}

/** As git would store it, and as it stands: a file that was stored with its own line ends keeps them. */
async function blobIdsOf(
  repository: Repository,
  bytes: Buffer,
  { path, signal }: { readonly path: string; readonly signal: AbortSignal | undefined },
): Promise<string[]> {
  const ids: string[] = [];
  for (const how of [`--path=${path}`, '--no-filters'])
    ids.push(
      (await askGit(repository.home, ['hash-object', '--stdin', how], { input: [bytes], signal })) ?? '',
    );
  return ids;
}

interface LineChange {
  readonly startLine: number;
  readonly endLine: number;
  readonly replacement: string;
  /** It has its own line ends. */
  readonly exact?: boolean;
}

/** The new lines end as the file's lines do, unless they bring their own. */
export function withLines(
  text: string,
  { startLine, endLine, replacement, exact = false }: LineChange,
): { readonly text: string; readonly grew: number; readonly replaced: string } {
  const linesIn = (words: string) => words.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const lines = linesIn(text);
  if (startLine > endLine + (exact ? 1 : 0) || endLine > lines.length)
    throw new GalleyError('INVALID_ARGUMENT', 'startLine, endLine: the file has no such lines.', {
      details: { field: 'endLine' },
    });
  const old = lines.slice(startLine - 1, endLine);
  const isCrlf = old.some((each) => each.endsWith('\r\n'));
  const news = exact ? linesIn(replacement) : replacement === '' ? [] : replacement.split(/\r?\n/);
  const isOpenEnd = endLine === lines.length && !old.at(-1)?.endsWith('\n');
  const lineEnd = isCrlf ? '\r\n' : '\n';
  const written = exact
    ? news
    : news.map((each, at) => (isOpenEnd && at === news.length - 1 ? each : each + lineEnd));
  return {
    text: [...lines.slice(0, startLine - 1), ...written, ...lines.slice(endLine)].join(''),
    grew: news.length - old.length,
    replaced: old.join(''),
  };
}
