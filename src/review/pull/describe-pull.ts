// A description of a pull request, in a part of its text that is marked as ours. What people wrote around it stays as it is.
import type { Warning } from '../../core/model/error.js';
import type { RunRecord } from '../../models/contract/model.js';
import { askOfChange } from '../ask/ask-of-change.js';
import { descriptionTask, joinDescriptions } from '../ask/description.js';
import { descriptionText, withDescription } from '../ask/description-text.js';
import { reportLanguageOf } from '../report/report-words.js';
import type { Spent } from '../run/prepare-pages.js';
import type { CallReceipt } from '../run/result-of-run.js';
import type { RunContext } from '../run/run-review.js';
import { type OpenPull, openPull, type PullContext } from './open-pull.js';
import { withPullChange } from './pull-change.js';
import type { PullDescribeRequest } from './pull-requests.js';

export interface PullDescription {
  readonly number: number;
  readonly url: string;
  readonly title: string;
  /** Markdown, as it stands in the marked part. */
  readonly text: string;
  readonly written: boolean;
  /** Changed files it tells of, of all. */
  readonly described: { readonly files: number; readonly of: number };
  readonly spent: Spent;
  readonly runs: readonly RunRecord[];
  readonly receipts: readonly CallReceipt[];
  readonly warnings: readonly Warning[];
}

export async function describePull(
  request: PullDescribeRequest,
  context: PullContext & RunContext,
): Promise<PullDescription> {
  return describeOpenPull(await openPull(request, context), request, context);
}

export async function describeOpenPull(
  opened: OpenPull,
  request: PullDescribeRequest,
  context: PullContext & RunContext,
): Promise<PullDescription> {
  const { forge, number } = opened;
  const { language } = request;
  return withPullChange(opened, { request, context }, async ({ request: asked, context: run }) => {
    const task = descriptionTask(language);
    const { answers, files, spent, runs, receipts, warnings } = await askOfChange(
      { ...asked, followUps: 0 },
      run,
      task,
    );
    const description = joinDescriptions(
      answers.map(({ answer }) => answer),
      files,
    );
    const text = descriptionText(description, files, reportLanguageOf(language));
    if (request.write) {
      // People may have written meanwhile.
      const { pull } = await forge.read(number);
      const next = withDescription(pull.description, text);
      if (next !== pull.description) await forge.setDescription(number, next);
    }
    return {
      ...{ number, url: opened.state.pull.url, title: description.title, text, written: request.write },
      described: { files: description.groups.flatMap((group) => group.files).length, of: files.length },
      ...{ spent, runs, receipts, warnings },
    };
  });
}
