// How the texts of a skill run come about: where it works, and piece after piece, text after text, each judged and joined.
import { isGalleyError } from '../core/model/error.js';
import type { Receipt } from '../core/model/receipt.js';
import type { Catalog } from '../models/catalog/catalog.js';
import type { Model } from '../models/contract/model.js';
import { rememberSet, takingTurns } from '../writing/context/assemble-context.js';
import type { ContextReceipt } from '../writing/context/context-result.js';
import { followOwnFolder } from '../writing/folder/follow-folder.js';
import { projectFolder } from '../writing/folder/project-folder.js';
import { judgeMaterial } from '../writing/judge/judge-project.js';
import type { SkillRunRequest } from '../writing/layers/context-request.js';
import { assembleSkill } from '../writing/skill-run/assemble-skill.js';
import type { SkillPiece } from '../writing/skill-run/pieces.js';
import { runSkill, type SkillRun } from '../writing/skill-run/run-skill.js';
import type { OperationContext } from './operation.js';
import { projectStore } from './project-store.js';

type Workplace = Awaited<ReturnType<typeof openWorkplace>>;

/** What a run stands on: the store abreast of the folder, and prompts set in turn with others of the same document. */
export async function openWorkplace(
  request: SkillRunRequest,
  context: OperationContext,
  model: Model | undefined,
) {
  const { signal, log } = context;
  const { projectId, documentId } = request;
  const store = await projectStore(context, projectId);
  const folder = await projectFolder(store, projectId, context.folder);
  const followed = folder === undefined ? [] : await followOwnFolder(store, projectId, folder);
  const ports = { store, folder, signal, model, embeddings: await context.embeddings?.() };
  const turn = <T>(work: () => Promise<T>) => takingTurns(request, { signal, log }, work);
  return {
    store,
    ports,
    turn,
    warnings: followed.map(({ message }) => message),
    material: () => judgeMaterial(store, folder, { projectId, documentId }),
    assembleAgain: (asked: SkillRunRequest, correction: string, previous: string) => {
      const said = [asked.additionalInput, correction].filter((words) => words !== undefined).join('\n\n');
      return turn(() => assembleSkill({ ...asked, additionalInput: said }, ports, { previous }));
    },
  };
}

export type WrittenText = ReturnType<typeof joined>;

/** Texts one after the other; once there is one, a later one that fails is a warning. */
export async function writeVariants(pieces: readonly SkillPiece[], writing: Writing) {
  const { asked, context } = writing;
  const texts: WrittenText[] = [];
  for (let variant = 1; variant <= asked.variants; variant += 1) {
    if (asked.variants > 1) context.onProgress?.({ stage: 'variant', done: variant, total: asked.variants });
    try {
      texts.push(joined(pieces, await writePieces(pieces, writing)));
    } catch (error) {
      if (texts.length === 0 || context.signal.aborted || !isGalleyError(error)) throw error;
      return { texts, failed: [`VARIANT_FAILED: text ${variant} could not be written (${error.code}).`] };
    }
  }
  return { texts, failed: [] };
}

interface Writing {
  readonly asked: {
    readonly judgeModel?: string | undefined;
    readonly timeoutMs: number;
    readonly firstByteTimeoutMs: number;
    readonly rewrites: number;
    readonly variants: number;
    readonly language: SkillRunRequest['language'];
  };
  readonly context: OperationContext;
  readonly workplace: Workplace;
  readonly model: Model;
  readonly catalog: Catalog | undefined;
  /** Filled with the receipt of every prompt that leaves. */
  readonly sent: Receipt[];
}

/** One after the other, as a reader would hear them. */
async function writePieces(pieces: readonly SkillPiece[], writing: Writing): Promise<readonly SkillRun[]> {
  const { asked, context, workplace, model, catalog, sent } = writing;
  const { judgeModel, timeoutMs, firstByteTimeoutMs, rewrites, language } = asked;
  const judge = judgeModel === undefined ? undefined : await context.model(judgeModel);
  const material = await workplace.material();
  const runs: SkillRun[] = [];
  for (const { request, call, glue } of pieces) {
    const { recipe = 'rewrite', output = 'prose' } = call.set.skill ?? {};
    const run = await runSkill(
      call,
      {
        ...{ model, catalog, judgeModel: judge, signal: context.signal },
        // What checks a text reports on it.
        material: { ...material, output: recipe === 'check' ? 'report' : output },
        timeouts: { totalMs: timeoutMs, firstByteMs: Math.min(timeoutMs, firstByteTimeoutMs) },
        assembleAgain: (correction, previous) => workplace.assembleAgain(request, correction, previous),
        onCall: ({ receipt }) => sent.push(receipt),
        onText: context.onText,
        onDraft: (draft) => context.onProgress?.({ stage: 'draft', done: draft, total: rewrites + 1 }),
      },
      { rewrites, language },
    );
    if (runs.length < pieces.length - 1) context.onText?.(glue);
    runs.push(run);
    sent.push(...run.judgeReceipts);
    await rememberSet(workplace.store, request.projectId, call.set);
  }
  return runs;
}

/** The texts of all pieces as one, and what was found in each at its place in the whole. */
function joined(pieces: readonly SkillPiece[], runs: readonly SkillRun[]) {
  const isOne = runs.length === 1;
  let text = '';
  let points = 0;
  const findings = runs.flatMap((run, index) => {
    const own = isOne ? run.answer.text : run.answer.text.trimEnd() + (pieces[index]?.glue ?? '');
    const from = points;
    text += own;
    points += [...own].length;
    return run.findings.map((finding) => ({
      ...finding,
      start: finding.start + from,
      end: finding.end + from,
    }));
  });
  const cut = runs.find(({ answer }) => answer.finish !== 'stop') ?? runs.at(-1);
  return {
    text,
    findings,
    finish: cut?.answer.finish ?? 'stop',
    model: runs.at(-1)?.answer.model,
    unchecked: [...new Set(runs.flatMap(({ unchecked }) => unchecked))],
    drafts: Math.max(...runs.map(({ drafts }) => drafts)),
    receipt: runs[0]?.sealed.receipt as ContextReceipt | undefined,
    runs: runs.flatMap((run) => run.runs),
    warnings: runs.flatMap((run) => run.warnings.map(({ message }) => message)),
  };
}
