// galley review: with a model, or with --dry-run, it is a run; without one it shows what a review would send. Only one of the two
// is loaded.
import { GalleyError } from '../../../core/model/error.js';
import { commands } from '../commands/commands.js';
import type { ReviewRunOptions } from './review-request.js';

export async function startReview(range: string | undefined, flags: ReviewRunOptions): Promise<void> {
  const options = { ...flags, ...(range === undefined ? {} : revisionsOf(range, flags)) };
  if (options.open) return (await import('./page-review.js')).openReviewPage(options);
  const model = options.model ?? (process.env.GALLEY_MODEL || undefined);
  if (options.html !== undefined) {
    if (model === undefined) refuseWithoutModel(options);
    const { writeReviewPage } = await import('./page-review.js');
    return writeReviewPage(options, { model, file: options.html });
  }
  if (model === undefined && !options.dryRun) {
    refuseWithoutModel(options);
    return (await import('./review-command.js')).reviewCommand(options);
  }
  if (options.redact === false)
    throw new GalleyError(
      'INVALID_ARGUMENT',
      '--no-redact: what goes to a model is always without secrets; leave the flag out.',
      { details: { field: 'redact' } },
    );
  const named = model === undefined ? options : { ...options, model };
  return (await import('./review-run-command.js')).reviewRunCommand(named);
}

/** `base..head`, with two dots or three: a review starts where head left base. */
function revisionsOf(range: string, flags: ReviewRunOptions): { base?: string; head?: string } {
  const [, base = '', head = ''] = /^(.*?)\.{2,3}(.*)$/.exec(range) ?? [];
  if (base === '' && head === '')
    throw new GalleyError(
      'INVALID_ARGUMENT',
      'review takes a range, base..head; name one revision with --base <branch> or --commit <revision>, and files after --.',
    );
  const others = ['base', 'head', 'commit', 'staged', 'working'] as const;
  const other = others.find((flag) => flags[flag] !== undefined);
  if (other !== undefined)
    throw new GalleyError('INVALID_ARGUMENT', `A range and --${other} exclude each other; keep one.`);
  return { ...(base === '' ? {} : { base }), ...(head === '' ? {} : { head }) };
}

/** Without a model a build that asks for --fail-level would pass for ever. */
function refuseWithoutModel(options: ReviewRunOptions): void {
  const given = new Set(
    Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [name])),
  );
  for (const { form, needsModel } of commands.review.flags) {
    const [flag = ''] = form.split(' ');
    const field = flag.slice(2).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    if (needsModel !== true || !given.has(field)) continue;
    throw new GalleyError(
      'INVALID_ARGUMENT',
      `${flag} is for a review by a model; add --model <name>, or set GALLEY_MODEL.`,
      { details: { field } },
    );
  }
}
