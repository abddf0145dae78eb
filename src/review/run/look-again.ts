// A second look at the findings of a page: one call, whose answer is kept like any other. Only what is refuted with a reason counts;
// whatever goes wrong leaves the findings as they are, and says so.
import { toGalleyError } from '../../core/model/error.js';
import type { SealedPrompt } from '../../core/model/press.js';
import { withoutSpans } from '../../core/seal/seal.js';
import type { AskOptions } from '../../models/ask-model.js';
import type { Verdict } from '../findings/answer-extras.js';
import type { ReviewFinding } from '../findings/finding.js';
import { readFindingsAnswer } from '../findings/read-answer.js';
import { type Verification, verifierVersion } from '../verify/verification.js';
import { counted, type PageLog, unanswered } from './ask-readable.js';
import { answerKey, type KeptAnswers, keptVerdicts } from './kept-answers.js';
import type { PreparedPage } from './prepare-pages.js';
import type { Reviewer } from './reviewer.js';

export interface SecondLook {
  readonly verification: Verification;
  readonly reviewer: Reviewer;
}

/** The reason for each finding that is refuted. */
export type Refuted = ReadonlyMap<ReviewFinding, string>;

interface Seen {
  /** Of everything the findings depend on. */
  readonly key: string;
  readonly sealed: SealedPrompt;
  readonly text: string;
  readonly findings: readonly ReviewFinding[];
}

interface LookOptions extends Omit<AskOptions, 'kind'> {
  readonly kept: KeptAnswers;
  readonly fresh: boolean;
}

export async function lookAgain(
  { verification, reviewer }: SecondLook,
  {
    page,
    log,
    options: { kept, fresh, timeouts, signal, maxOutputTokens },
    seen,
  }: {
    readonly page: PreparedPage;
    readonly log: PageLog;
    readonly options: LookOptions;
    readonly seen: Seen;
  },
): Promise<Refuted> {
  const kind = 'review-page-verify';
  let question: SealedPrompt | undefined;
  try {
    question = await verification.question(page, seen);
    const { system, prompt } = question;
    const isNext = question.receipt.previous !== undefined;
    const said = isNext ? [seen.key, prompt.slice(seen.sealed.prompt.length)] : [system, prompt];
    const key = answerKey([verifierVersion, kind, reviewer.model.id, ...said]);
    const known = fresh ? undefined : await kept.get(key, keptVerdicts);
    if (known !== undefined) return refutedBy(known.verdicts, seen.findings);
    log.receipts.push(withoutSpans(question.receipt));
    const { answer, record } = await reviewer.ask(question, {
      ...{ kind, kept, timeouts, signal, maxOutputTokens, page: page.index },
    });
    log.runs.push(record);
    const { verdicts } = readFindingsAnswer(answer.text);
    const judged = new Set(verdicts.map(({ finding }) => finding));
    const open = seen.findings.filter((_, at) => !judged.has(at + 1)).length;
    if (open > 0)
      log.warnings.push(counted('FINDINGS_NOT_VERIFIED', 'findings a second look left open', open));
    if (verdicts.length > 0) await kept.put(key, { verdicts });
    return refutedBy(verdicts, seen.findings);
  } catch (error) {
    const { code } = toGalleyError(error, 'MODEL_UNAVAILABLE');
    if (question !== undefined)
      log.runs.push(unanswered(question.receipt, { kind, model: reviewer.model.id, page: page.index }));
    const what = `pages whose second look failed (${code}); their findings stand as they are`;
    log.warnings.push(counted('VERIFY_FAILED', what));
    return new Map();
  }
}

/** Contradictions and verdicts without a reason speak for the finding. */
function refutedBy(verdicts: readonly Verdict[], findings: readonly ReviewFinding[]): Refuted {
  const confirmed = new Set(verdicts.flatMap(({ finding, isRefuted }) => (isRefuted ? [] : [finding])));
  const refuted = new Map<ReviewFinding, string>();
  for (const { finding: number, isRefuted, reason } of verdicts) {
    const finding = findings[number - 1];
    if (finding === undefined || !isRefuted || confirmed.has(number) || reason.trim() === '') continue;
    if (!refuted.has(finding)) refuted.set(finding, reason);
  }
  return refuted;
}
