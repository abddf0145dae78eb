// Checks a text against the constraints of its project. No findings is a valid answer, and the author has the last word.
import * as z from 'zod';
import { textField } from '../core/model/input.js';
import { projectFolder } from '../writing/folder/project-folder.js';
import { judgeMaterial } from '../writing/skill-run/judge-material.js';
import { judgeText } from '../writing/skill-run/judge-text.js';
import { judgedText } from './answers/judged-text.js';
import { defineOperation } from './operation.js';
import { storeErrors } from './store-errors.js';
import { nameField } from './writing-fields.js';

export const constraintsJudge = defineOperation({
  id: 'constraints:judge',
  summary:
    'Says which constraints a text breaks, where, with the words as evidence, and which cannot be checked.',
  input: z.strictObject({
    projectId: nameField,
    text: textField(),
    /** Place in the story, for what may not be known yet. */
    chapter: z.int().min(1).optional(),
    documentId: nameField.optional(),
  }),
  output: judgedText,
  grant: 'read',
  errors: storeErrors,
  run: async ({ projectId, text, chapter, documentId }, context) => {
    const stored = await context.store();
    const folder = await projectFolder(stored, projectId, context.folder);
    return judgeText(text, await judgeMaterial(stored, folder, { projectId, documentId, chapter }));
  },
});
