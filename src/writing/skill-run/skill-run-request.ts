// What a skill run is asked with: which skill, where in which document, and what else the writer says.
import * as z from 'zod';
import { textField } from '../../core/model/input.js';
import { contextRequest } from '../context/context-request.js';

const { projectId, documentId, cursorPosition, additionalInput, text, selection, model, language } =
  contextRequest.shape;
const { layout, later, entities, budget } = contextRequest.shape;

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
  budget,
});

export type SkillRunRequest = z.output<typeof skillRunRequest>;
