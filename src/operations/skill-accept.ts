// What a skill wrote and the author took.
import * as z from 'zod';
import { GalleyError } from '../core/model/error.js';
import type { Summary } from '../store/tables/runs.js';
import { episodeOf } from '../writing/skill-run/record-run.js';
import { defineOperation, storeErrors } from './operation.js';
import { projectStore } from './project-store.js';
import { answer, timestamp } from './published-schema.js';
import { nameField, proseField } from './request-fields.js';

/** The author has the last word: what is accepted becomes an episode that later runs may look back on. Only then. */
export const aiSkillAccept = defineOperation({
  id: 'ai:skill:accept',
  summary: 'Remembers a text that a skill wrote and the author took, as an episode for later runs.',
  input: z.strictObject({
    projectId: nameField,
    runId: nameField,
    /** As it was taken, with the author's changes. */
    text: proseField(),
    /** In place of the first and last sentence. */
    summary: proseField(2_000).optional(),
  }),
  example: {
    projectId: 'novel',
    runId: 'as ai:skill:run answered it',
    text: 'The room behind it was empty.',
  },
  output: answer<Summary>()(
    z.strictObject({
      id: z.string(),
      text: z.string(),
      createdAt: timestamp,
      runId: z.string().optional(),
      skillId: z.string().optional(),
      documentId: z.string().optional(),
    }),
  ),
  grant: 'write',
  errors: [...storeErrors, 'NOT_FOUND', 'ALREADY_EXISTS', 'FILE_UNREADABLE'],
  run: async ({ projectId, runId, text, summary }, context) => {
    const store = await projectStore(context, projectId);
    const run = await store.runs.get(projectId, runId);
    if (run.operation !== 'ai:skill:run' || run.status !== 'succeeded') {
      throw new GalleyError('NOT_FOUND', 'runId: no skill wrote a text in that run.', {
        details: { field: 'runId' },
      });
    }
    const { skillId, documentId } = run;
    return store.summaries.add(projectId, {
      id: runId,
      runId,
      text: summary ?? (episodeOf(text) || text.trim().slice(0, 80)),
      ...(skillId === undefined ? {} : { skillId }),
      ...(documentId === undefined ? {} : { documentId }),
    });
  },
});
