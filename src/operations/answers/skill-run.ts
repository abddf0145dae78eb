import * as z from 'zod';
import type { Finish, RunRecord } from '../../models/contract/model.js';
import type { ContextReceipt } from '../../writing/context/context-result.js';
import type { JudgedText } from '../../writing/judge/judge-project.js';
import type { AssembledSkill } from '../../writing/skill-run/assemble-skill.js';
import { finish } from './agent-turn.js';
import { answer } from './answer.js';
import { cacheOutlook, contextReceipt, layerOutcomes } from './context.js';
import { judgement } from './judged-text.js';
import { noun } from './noun.js';
import { count } from './numbers.js';
import { runRecords } from './receipt.js';
import { skillOrigin } from './skill.js';
import { warningMessages } from './warning.js';

interface Recorded {
  /** Absent when the store did not take the record. */
  readonly runId?: string;
}

/** A stretch of a text that was too long for one call, in code points. */
interface SentPiece {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
  readonly receipt: ContextReceipt;
}

interface ShownPiece extends SentPiece {
  readonly systemPrompt: string;
  readonly userContent: string;
}

export interface ShownSkill extends AssembledSkill, Recorded {
  readonly dryRun: true;
  readonly pieces?: readonly ShownPiece[];
}

export interface WrittenText
  extends Omit<AssembledSkill, 'systemPrompt' | 'userContent'>,
    JudgedText,
    Recorded {
  readonly dryRun: false;
  readonly text: string;
  readonly finish: Finish;
  readonly model: string;
  readonly drafts: number;
  readonly runs: readonly RunRecord[];
  readonly pieces?: readonly SentPiece[];
}

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
  saving: noun(
    'Saving',
    z.strictObject({
      everything: z.number().describe('tokens that all there is would cost'),
      used: z.number(),
      tokens: z.number(),
      ratio: z.number().describe('part of everything that was saved, 0 to 1'),
    }),
  ),
  refs: z.array(z.string()).describe('of everything that stands in the texts'),
  layers: layerOutcomes,
  stablePrefixHash: z.string(),
  stablePrefixUnchanged: z.boolean(),
  cache: cacheOutlook,
  warnings: warningMessages,
  receipt: contextReceipt,
};

export const skillRun = answer<ShownSkill | WrittenText>()(
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
      ...facts,
      runs: runRecords,
      pieces: z.array(sentPiece).optional().describe('the calls, where the text is too long for one'),
    }),
  ]),
);
