// The half of judging that needs a reader: constraints no check covers go to a model. Only what it can quote from the text counts,
// so that a finding always has its evidence; a model that fails costs a warning, never the text.
import * as z from 'zod';
import type { Warning } from '../../core/model/error.js';
import { isGalleyError } from '../../core/model/error.js';
import type { SealedPrompt } from '../../core/model/press.js';
import type { Receipt } from '../../core/model/receipt.js';
import { readLooseJson } from '../../models/answer/loose-json.js';
import { askModel } from '../../models/ask-model.js';
import type { Catalog } from '../../models/catalog/catalog.js';
import type { Model, RunRecord, Timeouts } from '../../models/contract/model.js';
import type { Constraint } from '../../store/tables/constraints.js';
import { passagePages } from '../passages/passage-pages.js';
import type { JudgeFinding } from './check.js';
import { judgePrompt } from './judge-prompt.js';

export interface ModelJudgement {
  readonly findings: readonly JudgeFinding[];
  readonly warnings: readonly Warning[];
  readonly runs: readonly RunRecord[];
  /** Of every call, in their order. */
  readonly receipts: readonly Receipt[];
}

export interface ModelJudgePorts {
  readonly model: Model;
  readonly timeouts: Timeouts;
  readonly signal: AbortSignal;
  /** Prices and windows; the built-in ones when left out. */
  readonly catalog?: Catalog | undefined;
}

const answered = z.object({
  findings: z.array(z.object({ constraint: z.int(), quote: z.string(), reason: z.string().default('') })),
});

const shape = { name: 'judgement', schema: z.toJSONSchema(answered) };
const mostFindings = 50;
const mostReason = 300;

export async function judgeByModel(
  text: string,
  constraints: readonly Constraint[],
  ports: ModelJudgePorts,
): Promise<ModelJudgement> {
  const { signal } = ports;
  const findings: JudgeFinding[] = [];
  const warnings: Warning[] = [];
  const runs: RunRecord[] = [];
  const receipts: Receipt[] = [];
  const judged = { findings, warnings, runs, receipts };
  if (constraints.length === 0 || text.trim() === '') return judged;
  try {
    const { pages, left } = await passagePages(judgePrompt(text, constraints), { ...ports, shape });
    if (left > 0) warnings.push(partial(left));
    for (const [index, { sealed, range }] of pages.entries()) {
      const page = pages.length === 1 ? undefined : index + 1;
      const { answer, record } = await ask(sealed, page, ports);
      runs.push(record);
      receipts.push(sealed.receipt);
      const read = readJudgement(answer.text, { text, ...range }, constraints);
      findings.push(...read.findings);
      warnings.push(...read.warnings);
    }
  } catch (error) {
    if (signal.aborted || !isGalleyError(error) || error.code === 'CANCELLED') throw error;
    warnings.push(unavailable(error.code));
  }
  return judged;
}

function ask(sealed: SealedPrompt, page: number | undefined, { model, ...ports }: ModelJudgePorts) {
  return askModel(model, sealed, { kind: 'judge', page, ...ports });
}

function readJudgement(
  answer: string,
  { text, start: from, end: until }: { readonly text: string; readonly start: number; readonly end: number },
  constraints: readonly Constraint[],
): Pick<ModelJudgement, 'findings' | 'warnings'> {
  const read = readLooseJson(answer)
    .values.map((value) => answered.safeParse(value))
    .find(({ success }) => success);
  if (read?.data === undefined) return { findings: [], warnings: [unavailable('MODEL_ANSWER_INVALID')] };
  const claims = read.data.findings.slice(0, mostFindings);
  const findings = claims.flatMap(({ constraint, quote, reason }): JudgeFinding[] => {
    const broken = constraints[constraint - 1];
    const at = quote.trim() === '' ? -1 : text.indexOf(quote, from);
    if (broken === undefined || at < 0 || at >= until) return [];
    const start = [...text.slice(0, at)].length;
    return [
      {
        constraintId: broken.id,
        check: 'model',
        start,
        end: start + [...quote].length,
        evidence: quote,
        message: [...reason.replace(/\s+/g, ' ').trim()].slice(0, mostReason).join(''),
      },
    ];
  });
  const dropped = read.data.findings.length - findings.length;
  return {
    findings,
    warnings:
      dropped === 0
        ? []
        : [
            {
              code: 'JUDGE_UNFOUNDED',
              message: `JUDGE_UNFOUNDED: ${dropped} of the model's findings quote nothing in the text, or no constraint, and were dropped.`,
            },
          ],
  };
}

function partial(paragraphs: number): Warning {
  const message = `JUDGE_PARTIAL: ${paragraphs} paragraphs are longer than the model can read and were not checked by it.`;
  return { code: 'JUDGE_PARTIAL', message };
}

function unavailable(code: string): Warning {
  const message = `JUDGE_UNAVAILABLE: the model judge did not answer (${code}); only the checks without a model were made.`;
  return { code: 'JUDGE_UNAVAILABLE', message };
}
