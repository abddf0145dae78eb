// The author has the last word: what is accepted becomes an episode that later runs may look back on. Only then.
import * as z from 'zod';
import { GalleyError } from '../core/model/error.js';
import { episodeOf } from '../writing/skill-run/record-run.js';
import { episode } from './answers/episode.js';
import { defineOperation } from './operation.js';
import { storeErrors } from './store-errors.js';
import { nameField, proseField } from './writing-fields.js';

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
  output: episode,
  grant: 'write',
  errors: [...storeErrors, 'NOT_FOUND', 'ALREADY_EXISTS'],
  run: async ({ projectId, runId, text, summary }, context) => {
    const store = await context.store();
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
