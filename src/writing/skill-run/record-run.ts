// What is kept of a run: hashes, refs, tokens and timings; never a word of the texts.
import { hashText } from '../../meters/content-hash.js';
import type { Store } from '../../store/store.js';
import type { AssembledSkill } from './assemble-skill.js';
import type { SkillRunRequest } from './skill-run-request.js';

export interface RunTimes {
  readonly startedAt: number;
  readonly endedAt: number;
}

/** The id of the run; undefined when the store could not take it, which never costs the run. */
export async function recordDryRun(
  store: Store,
  { request, assembled }: { request: SkillRunRequest; assembled: AssembledSkill },
  { startedAt, endedAt }: RunTimes,
): Promise<string | undefined> {
  const { receipt, tokens, budget, saving, refs, stablePrefixHash, systemPrompt, userContent } = assembled;
  await storeReceipt(store, request.projectId, assembled);
  try {
    const run = await store.runs.put(request.projectId, {
      operation: 'ai:skill:run',
      status: 'succeeded',
      startedAt,
      endedAt,
      skillId: assembled.skill.id,
      documentId: request.documentId,
      ...(request.model === undefined ? {} : { model: request.model }),
      metadata: {
        dryRun: true,
        receipt: receipt.id,
        hashes: {
          system: hashText(systemPrompt),
          user: hashText(userContent),
          stablePrefix: stablePrefixHash,
        },
        meter: receipt.meter,
        tokens,
        budget,
        saving,
        refs,
        concessions: receipt.concessions,
        warnings: receipt.warnings.map(({ code }) => code),
        timings: { assembleMs: endedAt - startedAt },
      },
    });
    return run.id;
  } catch {
    return undefined;
  }
}

/** For the list of what was sent; the same assembly twice has one receipt. */
async function storeReceipt(store: Store, project: string, assembled: AssembledSkill): Promise<void> {
  const { receipt, tokens, budget, saving, stablePrefixHash, skill } = assembled;
  const summary = { skillId: skill.id, tokens, budget, saved: saving.tokens, stablePrefixHash };
  await store.receipts
    .put(project, { id: receipt.id, operation: 'ai:skill:run', summary, value: receipt })
    .catch(() => undefined);
}
