// A call of a skill from prompt to text: write, judge, and write again while constraints are broken, at most as often as allowed.
// What was written is never thrown away: when a later draft fails, the best one so far is the answer, with its findings beside it.
import { extend } from '../../core/extend.js';
import type { Warning } from '../../core/model/error.js';
import { GalleyError, isGalleyError } from '../../core/model/error.js';
import type { SealedPrompt } from '../../core/model/press.js';
import type { Receipt } from '../../core/model/receipt.js';
import { hashText } from '../../meters/content-hash.js';
import { askModel } from '../../models/ask-model.js';
import type { RecordedAnswer } from '../../models/cache/run-on-record.js';
import type { Catalog } from '../../models/catalog/catalog.js';
import type { Model, ModelAnswer, RunRecord, Timeouts } from '../../models/contract/model.js';
import type { PromptLanguage } from '../../skills/skill.js';
import type { Constraint } from '../../store/tables/constraints.js';
import type { JudgeFinding } from '../judge/check.js';

import { type JudgeMaterial, judgeText } from '../judge/judge-project.js';
import { judgeByModel, type ModelJudgement } from '../judge/model-judge.js';
import { layeredWords } from '../layers/layered-words.js';
import type { SkillCall } from './assemble-skill.js';

interface SkillRunPorts {
  readonly model: Model;
  /** Reads what no check covers; without one that stays open. */
  readonly judgeModel?: Model | undefined;
  readonly material: JudgeMaterial;
  /** Prices; the built-in ones when left out. */
  readonly catalog?: Catalog | undefined;
  readonly timeouts: Timeouts;
  readonly signal: AbortSignal;
  /** Sets the prompt anew, with what the writer model must correct, within the same budget, after the call of that receipt. */
  assembleAgain(correction: string, previous: string): Promise<SkillCall>;
  /** A prompt is about to be sent. */
  onCall?: ((sealed: SealedPrompt) => void) | undefined;
  onText?: ((text: string) => void) | undefined;
  /** A draft begins; the first is 1. What was said before is void. */
  onDraft?: ((draft: number) => void) | undefined;
}

interface Draft {
  /** What it was written for. */
  readonly sealed: SealedPrompt;
  readonly answer: ModelAnswer;
  readonly findings: readonly JudgeFinding[];
  readonly unchecked: readonly string[];
}

export interface SkillRun extends Draft {
  /** Of all that were written. */
  readonly drafts: number;
  /** Of every call, those of the judge among them. */
  readonly runs: readonly RunRecord[];
  readonly judgeReceipts: readonly Receipt[];
  readonly warnings: readonly Warning[];
}

interface SkillRunOptions {
  readonly rewrites: number;
  readonly language: PromptLanguage;
}

export async function runSkill(
  call: SkillCall,
  ports: SkillRunPorts,
  options: SkillRunOptions,
): Promise<SkillRun> {
  // A report is no prose to be written again.
  const rewrites = ports.material.output === 'report' ? 0 : options.rewrites;
  const drafts: Draft[] = [];
  const runs: RunRecord[] = [];
  const judgeReceipts: Receipt[] = [];
  const warnings: Warning[] = [];
  for (;;) {
    try {
      const last = drafts.at(-1);
      ports.onDraft?.(drafts.length + 1);
      const sealed = last === undefined ? call.sealed : await again(last, { call, ports, options });
      ports.onCall?.(sealed);
      const { answer, record } = await write(sealed, ports);
      runs.push(record);
      const judged = await judgeDraft(answer.text, ports);
      runs.push(...judged.runs);
      judgeReceipts.push(...judged.receipts);
      warnings.push(...judged.warnings);
      drafts.push({ sealed, answer, findings: judged.findings, unchecked: judged.unchecked });
    } catch (error) {
      if (drafts.length === 0 || ports.signal.aborted || !isGalleyError(error)) throw error;
      warnings.push(notRewritten(error));
      break;
    }
    if (drafts.at(-1)?.findings.length === 0 || drafts.length > rewrites) break;
  }
  const best = drafts.reduce((kept, draft) => (draft.findings.length < kept.findings.length ? draft : kept));
  if (best.answer.finish === 'length') warnings.push(cutShort);
  return { ...best, drafts: drafts.length, runs, judgeReceipts, warnings };
}

/** What was sent before and what is wrong with the draft; where both do not fit, the prompt is set again with less around it. */
async function again(
  { sealed, findings }: Draft,
  { call, ports, options }: { call: SkillCall; ports: SkillRunPorts; options: SkillRunOptions },
): Promise<SealedPrompt> {
  const correction = correctionOf(findings, ports.material.constraints, options.language);
  const { meter } = call.set;
  try {
    const line = { fragment: 'correction', source: 'judge', layer: 'immediate' };
    return extend(sealed, { words: `\n\n${correction}`, ...line }, { meter, hash: hashText });
  } catch (error) {
    if (!isGalleyError(error) || error.code !== 'CONTEXT_BUDGET_INFEASIBLE') throw error;
    return (await ports.assembleAgain(correction, sealed.receipt.id)).sealed;
  }
}

async function write(sealed: SealedPrompt, ports: SkillRunPorts): Promise<RecordedAnswer> {
  const { model, catalog, timeouts, signal, onText = () => undefined } = ports;
  const kind = sealed.receipt.previous === undefined ? 'skill' : 'skill-again';
  const recorded = await askModel(model, sealed, { kind, catalog, timeouts, signal, onText });
  if (recorded.answer.text.trim() !== '') return recorded;
  throw new GalleyError(
    'MODEL_ANSWER_INVALID',
    'The model answered with no words; try again or another model.',
    { details: { model: model.id, reason: 'empty' } },
  );
}

type JudgedDraft = Pick<Draft, 'findings' | 'unchecked'> &
  Pick<ModelJudgement, 'warnings' | 'runs' | 'receipts'>;
/** What a model did not read, or not all of, is not known to be clean. */
const notWhole: ReadonlySet<string> = new Set(['JUDGE_UNAVAILABLE', 'JUDGE_PARTIAL']);

async function judgeDraft(text: string, ports: SkillRunPorts): Promise<JudgedDraft> {
  const { material, judgeModel: model, catalog, timeouts, signal } = ports;
  const { findings, unchecked } = judgeText(text, { ...material, isPiece: true });
  if (model === undefined || material.output === 'report')
    return { findings, unchecked, warnings: [], runs: [], receipts: [] };
  const open = material.constraints.filter(({ id }) => unchecked.includes(id));
  const read = await judgeByModel(text, open, { model, catalog, timeouts, signal });
  const isWhole = !read.warnings.some(({ code }) => notWhole.has(code));
  const { warnings, runs, receipts } = read;
  return {
    findings: [...findings, ...read.findings],
    unchecked: isWhole ? [] : unchecked,
    ...{ warnings, runs, receipts },
  };
}

function notRewritten({ code }: GalleyError): Warning {
  const message = `REWRITE_FAILED: the text could not be written again (${code}); this is the draft before, with what it breaks.`;
  return { code: 'REWRITE_FAILED', message };
}

const cutShort: Warning = {
  code: 'ANSWER_CUT',
  message: 'ANSWER_CUT: the model reached its output limit; the text is not finished.',
};

// What a writer model is told when its draft broke constraints: which, and the words that broke them.
const mostShown = 10;
const mostQuoted = 60;

function correctionOf(
  findings: readonly JudgeFinding[],
  constraints: readonly Constraint[],
  language: PromptLanguage,
): string {
  const words = layeredWords[language];
  const rules = new Map(constraints.map(({ id, text }) => [id, text]));
  const lines = findings.slice(0, mostShown).map(({ constraintId, evidence, message }) => {
    const rule = rules.get(constraintId);
    const quote = [...evidence.replace(/\s+/g, ' ')].slice(0, mostQuoted).join('');
    return `- ${words.quote(quote)} ${message}${rule === undefined ? '' : ` (${rule})`}`;
  });
  // Rules that are all in another script tell the language of the book, whatever that of the headings.
  const { broken } = /\p{sc=Han}/u.test(lines.join('')) ? words : layeredWords.en;
  return `${broken}\n${lines.join('\n')}`;
}
