// The texts of a skill run, kept as drafts. What was written is the caller's whatever happens: a draft that cannot be kept is a
// warning.
import { isGalleyError } from '../core/model/error.js';
import { draftHomes } from '../writing/drafts/draft-homes.js';
import { makesDraft } from '../writing/drafts/draft-target.js';
import { makeDrafts } from '../writing/drafts/make-drafts.js';
import type { SkillRunRequest } from '../writing/layers/context-request.js';
import type { SkillCall } from '../writing/skill-run/assemble-skill.js';
import type { OperationContext } from './operation.js';

interface DraftsToKeep {
  readonly request: SkillRunRequest;
  /** The first of the run, where it is in pieces. */
  readonly call: SkillCall;
  readonly runId: string | undefined;
  readonly context: OperationContext;
}

/** Their names, in the order of the texts; none for a skill that reports. */
export async function keepDrafts(
  texts: readonly { readonly text: string; readonly model: string | undefined }[],
  { request, call, runId, context }: DraftsToKeep,
): Promise<{ readonly drafts: readonly string[]; readonly warnings: readonly string[] }> {
  const { skill, scene } = call.set;
  if (skill === undefined || !makesDraft(skill)) return { drafts: [], warnings: [] };
  const { projectId, documentId, selection, cursorPosition } = request;
  try {
    const homes = await draftHomes(await context.store(), projectId, context.folder);
    const made = await makeDrafts(homes.ofDocument(documentId), {
      ...{ documentId, selection, cursorPosition, skill, runId },
      model: texts[0]?.model ?? request.model ?? '',
      at: context.now(),
      chapter: scene.indexed.text,
      texts: texts.map(({ text }) => text),
    });
    return { drafts: made.map(({ name }) => name), warnings: [] };
  } catch (error) {
    if (!isGalleyError(error)) throw error;
    const message = `DRAFT_NOT_KEPT: the text could not be kept as a draft (${error.code}).`;
    return { drafts: [], warnings: [message] };
  }
}
