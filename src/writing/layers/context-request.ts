// What an assembly is asked with: where the writer is, which skill runs, and what else they say.
import * as z from 'zod';
import { textField } from '../../core/model/input.js';
import { promptLanguage } from '../../skills/skill.js';

const name = textField(512).refine((text) => text.trim() !== '', { error: 'must not be empty' });
const position = z.int().nonnegative();

export const contextRequest = z.strictObject({
  projectId: name,
  documentId: name,
  /** Code points from the start of the document; beyond its end means its end. */
  cursorPosition: position,
  skillId: textField(512),
  additionalInput: textField().optional(),
  /** The live text of the document; it wins over the stored one. */
  text: textField().optional(),
  selection: z
    .strictObject({ start: position, end: position })
    .refine(({ start, end }) => end >= start, { error: 'must not lie before start', path: ['end'] })
    .optional(),
  model: textField(200).optional(),
  language: promptLanguage,
  /** `exact` ignores what earlier requests looked like. */
  layout: z.enum(['exact', 'steady']).default('steady'),
  /** Whether small passages may use room that is left over. */
  refill: z.boolean().default(true),
  /** Whether passages that come later in the story may be shown, marked as such. */
  later: z.enum(['none', 'marked']).default('none'),
  /** Entities to include by id or name, whatever their inclusion says. */
  entities: z.array(name).max(200).default([]),
  pin: z
    .array(name)
    .max(200)
    .default([])
    .describe('ids of pieces, as the receipt names them, that stay whatever else gives way'),
  without: z
    .array(name)
    .max(200)
    .default([])
    .describe('ids of pieces, as the receipt names them, that stay out; what must stand stays'),
  levels: z
    .record(name, textField(200))
    .refine((levels) => Object.keys(levels).length <= 200, { error: 'must not name more than 200 pieces' })
    .default({})
    .describe('by the id of a piece the name of the level it stands at, or not at all'),
  /** `chapters` gives the two texts that a run of the skill sends. */
  format: z
    .enum(['layers', 'chapters'])
    .default('layers')
    .describe('layers: one text of four layers; chapters: the system and user text a run of the skill sends'),
  budget: z
    .strictObject({ tokens: z.int().positive().max(100_000_000) })
    .optional()
    .describe("in place of the project's budget and the skill's own"),
});

export type ContextRequest = z.input<typeof contextRequest>;
export type CheckedContextRequest = z.output<typeof contextRequest>;

/** What is set: without a cursor and a selection the skill says what it works on. */
export interface ContextOrder extends Omit<CheckedContextRequest, 'cursorPosition'> {
  readonly cursorPosition?: number | undefined;
  /** `elsewhere`: the additional input stands in the call already; it is looked up and not shown again. */
  readonly instruction?: 'elsewhere' | undefined;
}

// What a skill run is asked with: which skill, where in which document, and what else the writer says.
const { projectId, documentId, cursorPosition, additionalInput, text, selection, model, language } =
  contextRequest.shape;
const { layout, later, entities, pin, without, levels, budget } = contextRequest.shape;

export const skillRunRequest = z.strictObject({
  projectId,
  skillId: textField(512).refine((words) => words.trim() !== '', { error: 'must not be empty' }),
  documentId,
  text,
  selection,
  /** Where the cursor is when nothing is selected. */
  cursorPosition: cursorPosition.optional(),
  additionalInput,
  model,
  language,
  layout,
  later,
  entities,
  pin,
  without,
  levels,
  budget,
});

export type SkillRunRequest = z.output<typeof skillRunRequest>;
