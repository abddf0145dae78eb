// The half of judging that needs a reader: constraints no check covers go to a model. Only what it can quote from the text counts,
// so that a finding always has its evidence; a model that fails costs a warning, never the text.
import * as z from 'zod';
import type { Warning } from '../../core/model/error.js';
import { isGalleyError } from '../../core/model/error.js';
import type { Receipt } from '../../core/model/receipt.js';
import { readLooseJson } from '../../models/answer/loose-json.js';
import { askModel } from '../../models/ask-model.js';
import type { Catalog } from '../../models/catalog/catalog.js';
import type { Model, RunRecord, Timeouts } from '../../models/contract/model.js';
import { type PassagePage, passagePages } from '../passages/passage-pages.js';
import type { JudgeFinding } from './check.js';
import { judgePrompt, type Statement, type Statements } from './judge-prompt.js';

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
  constraints: readonly Statement[],
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
    const { pages, left } = await judgePages(text, { constraints }, ports);
    if (left > 0) warnings.push(partial(left));
    for (const page of pages) {
      const { answer, record } = await askPage(page, ports);
      runs.push(record);
      receipts.push(page.sealed.receipt);
      const read = readJudgement(answer.text, { text, ...page.range }, constraints);
      if (read === undefined) warnings.push(unavailable('MODEL_ANSWER_INVALID'));
      findings.push(...(read?.findings ?? []));
      warnings.push(...(read?.warnings ?? []));
    }
  } catch (error) {
    if (signal.aborted || !isGalleyError(error) || error.code === 'CANCELLED') throw error;
    warnings.push(unavailable(error.code));
  }
  return judged;
}

export type JudgedPage = PassagePage;

/** Every paragraph stands on one page, in the order of the text; `left` of them are longer than the model can read. */
export function judgePages(
  text: string,
  statements: Statements,
  ports: Pick<ModelJudgePorts, 'model' | 'catalog'>,
): ReturnType<typeof passagePages> {
  return passagePages(judgePrompt(text, statements), { ...ports, shape });
}

export function askPage({ sealed, number }: JudgedPage, { model, ...ports }: ModelJudgePorts) {
  return askModel(model, sealed, { kind: 'judge', page: number, ...ports });
}

/** Undefined where the answer is none. */
export function readJudgement(
  answer: string,
  { text, start: from, end: until }: { readonly text: string; readonly start: number; readonly end: number },
  statements: readonly Statement[],
): Pick<ModelJudgement, 'findings' | 'warnings'> | undefined {
  const read = readLooseJson(answer)
    .values.map((value) => answered.safeParse(value))
    .find(({ success }) => success);
  if (read?.data === undefined) return undefined;
  const claims = read.data.findings.slice(0, mostFindings);
  const findings = claims.flatMap(({ constraint, quote, reason }): JudgeFinding[] => {
    const broken = statements[constraint - 1];
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
