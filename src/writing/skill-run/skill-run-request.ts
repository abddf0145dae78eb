// What a skill run is asked with: which skill, where in which document, and what else the writer says.
import * as z from 'zod';
import { textField } from '../../core/model/input.js';
import { promptLanguage } from '../../skills/prompt-language.js';

const name = textField(512).refine((text) => text.trim() !== '', { error: 'must not be empty' });
const position = z.int().nonnegative();

export const skillRunRequest = z.strictObject({
  projectId: name,
  skillId: name,
  documentId: name,
  /** The live text of the document; it wins over the stored one. */
  text: textField().optional(),
  /** Code points; beyond the end means the end. */
  selection: z
    .strictObject({ start: position, end: position })
    .refine(({ start, end }) => end >= start, { error: 'must not lie before start', path: ['end'] })
    .optional(),
  /** Where the cursor is when nothing is selected. */
  cursorPosition: position.optional(),
  additionalInput: textField().optional(),
  model: textField(200).optional(),
  language: promptLanguage,
  /** Whether passages that come later in the story may be shown, marked as such. */
  later: z.enum(['none', 'marked']).default('none'),
  /** Stands in for the skill's own budget. */
  budget: z.strictObject({ tokens: z.int().positive().max(100_000_000) }).optional(),
});

export type SkillRunRequest = z.output<typeof skillRunRequest>;
