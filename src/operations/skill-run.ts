// Runs a skill: sets its prompt, has a model write, judges the text, and keeps a record without a word of it. With `dryRun` it
// answers with the two texts a model would get, and their receipt. What the author takes of it is remembered.
import * as z from 'zod';
import { isGalleyError, toGalleyError } from '../core/model/error.js';
import { textField } from '../core/model/input.js';
import type { Receipt } from '../core/model/receipt.js';
import { hashText } from '../meters/content-hash.js';
import type { Model } from '../models/contract/model.js';
import { type SkillRunRequest, skillRunRequest } from '../writing/layers/context-request.js';
import { cutIntoPieces, type SkillPiece } from '../writing/skill-run/pieces.js';
import { type RunEnding, recordSkillRun } from '../writing/skill-run/record-run.js';
import { runOutlook } from '../writing/skill-run/run-outlook.js';
import { judgement } from './constraints.js';
import { cacheOutlookAnswer, contextReceipt, layerOutcomesAnswer } from './context.js';
import { keepDrafts } from './keep-drafts.js';
import { defineOperation, modelErrors, type OperationContext, storeErrors } from './operation.js';
import { count, inferred, named } from './published-schema.js';
import { modelTimeouts } from './request-fields.js';
import { finish, runRecords, warningMessages } from './shared-answers.js';
import { skillOrigin } from './skills.js';
import { openWorkplace, type WrittenText, writeVariants } from './write-texts.js';

const sentPiece = z.strictObject({
  start: count.describe('in code points'),
  end: count,
  tokens: count,
  receipt: contextReceipt,
});

const facts = {
  runId: z.string().optional().describe('absent when the store did not take the record'),
  skill: z.strictObject({ id: z.string(), name: z.string(), origin: skillOrigin }),
  tokens: count.describe('system and user text together'),
  budget: count,
  saving: named(
    'Saving',
    z.strictObject({
      everything: z.number().describe('tokens that all there is would cost'),
      used: z.number(),
      tokens: z.number().describe('tokens that were saved'),
      ratio: z.number().describe('part of everything that was saved, 0 to 1'),
    }),
  ),
  refs: z.array(z.string()).describe('of everything that stands in the texts'),
  layers: layerOutcomesAnswer,
  stablePrefixHash: z.string(),
  stablePrefixUnchanged: z.boolean(),
  cache: cacheOutlookAnswer,
  warnings: warningMessages,
  receipt: contextReceipt,
};

const input = skillRunRequest.extend({
  dryRun: z.boolean().default(false),
  /** How often a text that breaks constraints is written again; 0 only says what it breaks. */
  rewrites: z.int().min(0).max(5).default(1),
  /** Judges what no check covers. */
  judgeModel: textField(200).optional(),
  /** How many texts are written side by side. */
  variants: z.int().min(1).max(8).default(1),
  ...modelTimeouts,
});

export const aiSkillRun = defineOperation({
  id: 'ai:skill:run',
  summary:
    'Sets the prompt of a skill as context:assemble does for it, has a model write, and judges the text; with dryRun it only shows the prompt.',
  input,
  example: { projectId: 'novel', documentId: 'chapter-1', skillId: 'continue', dryRun: true },
  streams: true,
  output: inferred(
    z.discriminatedUnion('dryRun', [
      z.strictObject({
        dryRun: z.literal(true),
        systemPrompt: z.string(),
        userContent: z.string(),
        ...facts,
        pieces: z
          .array(sentPiece.extend({ systemPrompt: z.string(), userContent: z.string() }))
          .optional()
          .describe('the calls, where the text is too long for one'),
      }),
      z.strictObject({
        dryRun: z.literal(false),
        text: z.string(),
        finish,
        model: z.string(),
        ...judgement,
        drafts: count.describe('texts that were written until this one'),
        draft: z
          .string()
          .optional()
          .describe('the draft that holds the text; absent for a report, or where it could not be kept'),
        variants: z
          .array(z.strictObject({ text: z.string(), draft: z.string().optional(), ...judgement }))
          .optional()
          .describe('all texts, this one first, where several were asked for'),
        ...facts,
        runs: runRecords,
        pieces: z.array(sentPiece).optional().describe('the calls, where the text is too long for one'),
      }),
    ]),
  ),
  grant: 'run',
  errors: [
    ...storeErrors,
    'NOT_FOUND',
    ...modelErrors,
    'CONFIG_INVALID',
    'COST_CEILING_REACHED',
    'CONTEXT_BUDGET_INFEASIBLE',
    'CONTEXT_INPUT_TOO_LARGE',
    'CONTEXT_SCOPE_VIOLATION',
    'CONTEXT_BACKPRESSURE',
  ],
  run: async (asked, context) => {
    const startedAt = context.now();
    const {
      dryRun,
      rewrites,
      judgeModel: _,
      variants,
      timeoutMs: __,
      firstByteTimeoutMs: ___,
      ...rest
    } = asked;
    const model = dryRun ? undefined : await context.model(rest.model);
    const request: SkillRunRequest = model === undefined ? rest : { ...rest, model: model.id };
    const catalog = await context.prices?.();
    const reader = model ?? (await readerOf(rest.model, context));
    const workplace = await openWorkplace(request, context, reader);
    const pieces = await workplace.turn(() => cutIntoPieces(request, workplace.ports, catalog));
    const [first] = pieces as readonly [SkillPiece, ...SkillPiece[]];
    const { assembled } = first.call;
    const record = async (ending: RunEnding, receipts: readonly Receipt[]) => {
      const times = { startedAt, endedAt: context.now() };
      const runId = await recordSkillRun(workplace.store, { request, assembled, receipts, ending }, times);
      return {
        ...(runId === undefined ? {} : { runId }),
        notRecorded: runId === undefined ? [notRecorded] : [],
      };
    };

    if (model === undefined) {
      const shown = pieces.map(({ call }) => call.assembled);
      const { notRecorded: lost, ...id } = await record(
        { kind: 'dry-run' },
        shown.map(({ receipt }) => receipt),
      );
      const warnings = [...shown.flatMap((each) => each.warnings), ...workplace.warnings, ...lost];
      return {
        ...assembled,
        ...id,
        dryRun: true as const,
        warnings: [...new Set(warnings)],
        ...(pieces.length === 1 ? {} : { pieces: pieces.map(shownPieceOf) }),
      };
    }

    context.onOutlook?.(
      await runOutlook(pieces, { model: model.id, catalog, drafts: variants * (rewrites + 1) }),
    );
    const sent: Receipt[] = [];
    try {
      const writing = { asked, context, workplace, model, catalog, sent };
      const { texts, failed } = await writeVariants(pieces, writing);
      const answer = texts[0] as WrittenText;
      const { warnings: said, receipt: own, ...written } = answer;
      const { systemPrompt: _system, userContent: _user, warnings, ...facts } = assembled;
      const { drafts, findings } = written;
      const calls = texts.flatMap((text) => text.runs);
      const kept = { answerHash: hashText(written.text), drafts, findings: findings.length, runs: calls };
      const { notRecorded: lost, ...id } = await record({ kind: 'written', facts: kept }, sent);
      const names = await keepDrafts(texts, { request, call: first.call, runId: id.runId, context });
      return {
        ...facts,
        ...written,
        runs: calls,
        ...id,
        ...(names.drafts[0] === undefined ? {} : { draft: names.drafts[0] }),
        ...(variants === 1
          ? {}
          : {
              variants: texts.map(({ text, findings, unchecked }, index) => ({
                ...{ text, findings, unchecked },
                ...(names.drafts[index] === undefined ? {} : { draft: names.drafts[index] }),
              })),
            }),
        receipt: own ?? assembled.receipt,
        model: answer.model ?? model.id,
        dryRun: false as const,
        warnings: [
          ...new Set([
            ...warnings,
            ...[...texts.flatMap((text) => text.warnings), ...failed, ...said],
            ...[...workplace.warnings, ...lost, ...names.warnings],
          ]),
        ],
        ...(pieces.length === 1 ? {} : { pieces: pieces.map(sentPieceOf) }),
      };
    } catch (error) {
      await record({ kind: 'failed', code: toGalleyError(error).code }, sent);
      throw error;
    }
  },
});

const notRecorded = 'RUN_NOT_RECORDED: the store did not take the record of this run.';

const sentPieceOf = ({ range, call }: SkillPiece) => ({
  start: range?.start ?? 0,
  end: range?.end ?? 0,
  tokens: call.assembled.tokens,
  receipt: call.assembled.receipt,
});

const shownPieceOf = (piece: SkillPiece) => ({
  ...sentPieceOf(piece),
  systemPrompt: piece.call.assembled.systemPrompt,
  userContent: piece.call.assembled.userContent,
});

/** What is only shown is shown as the named model would get it, where that is known here. */
async function readerOf(name: string | undefined, context: OperationContext): Promise<Model | undefined> {
  if (name === undefined) return undefined;
  return context.model(name).catch((error: unknown) => {
    if (isGalleyError(error)) return undefined;
    throw error;
  });
}
