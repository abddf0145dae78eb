import * as z from 'zod';
import type { RunRecord } from '../../core/model/run-record.js';
import type { Finish } from '../../models/model.js';
import type { AssembledSkill } from '../../writing/skill-run/assemble-skill.js';
import type { JudgedText } from '../../writing/skill-run/judge-text.js';
import { finish } from './agent-turn.js';
import { answer } from './answer.js';
import { judgement } from './judged-text.js';
import { noun } from './noun.js';
import { count } from './numbers.js';
import { receipt, runRecords } from './receipt.js';
import { skillOrigin } from './skill.js';
import { warningMessages } from './warning.js';

interface Recorded {
  /** Absent when the store did not take the record. */
  readonly runId?: string;
}

export interface ShownSkill extends AssembledSkill, Recorded {
  readonly dryRun: true;
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
}

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
  stablePrefixHash: z.string(),
  warnings: warningMessages,
};

export const skillRun = answer<ShownSkill | WrittenText>()(
  z.discriminatedUnion('dryRun', [
    z.strictObject({
      dryRun: z.literal(true),
      systemPrompt: z.string(),
      userContent: z.string(),
      ...facts,
      receipt,
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
      receipt,
    }),
  ]),
);
