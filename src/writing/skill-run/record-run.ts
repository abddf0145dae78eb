// What is kept of a run: hashes, refs, tokens and timings; never a word of the texts.
import type { ErrorCode } from '../../core/model/error.js';
import type { Receipt } from '../../core/model/receipt.js';
import { hashText } from '../../meters/content-hash.js';
import type { RunRecord } from '../../models/contract/model.js';
import type { Store } from '../../store/store.js';
import type { RunStatus } from '../../store/tables/runs.js';
import type { SkillRunRequest } from '../layers/context-request.js';
import type { AssembledSkill } from './assemble-skill.js';

interface RunTimes {
  readonly startedAt: number;
  readonly endedAt: number;
}

/** What became of it: nothing was sent, a text came back, or it ended before that. */
export type RunEnding =
  | { readonly kind: 'dry-run' }
  | { readonly kind: 'written'; readonly facts: WrittenFacts }
  | { readonly kind: 'failed'; readonly code: ErrorCode };

interface WrittenFacts {
  readonly answerHash: string;
  readonly drafts: number;
  readonly findings: number;
  readonly runs: readonly RunRecord[];
}

interface RunToRecord {
  readonly request: SkillRunRequest;
  readonly assembled: AssembledSkill;
  /** Of every call that was made or shown, each sealed on its own. */
  readonly receipts: readonly Receipt[];
  readonly ending: RunEnding;
}

/** The id of the run; undefined when the store could not take it, which never costs the run. */
export async function recordSkillRun(
  store: Store,
  record: RunToRecord,
  { startedAt, endedAt }: RunTimes,
): Promise<string | undefined> {
  const { request, assembled, ending } = record;
  const { receipt, tokens, budget, saving, refs, stablePrefixHash, systemPrompt, userContent } = assembled;
  await storeReceipts(store, record);
  try {
    const run = await store.runs.put(request.projectId, {
      operation: 'ai:skill:run',
      status: statusOf(ending),
      startedAt,
      endedAt,
      skillId: assembled.skill.id,
      documentId: request.documentId,
      ...(request.model === undefined ? {} : { model: request.model }),
      metadata: {
        dryRun: ending.kind === 'dry-run',
        ...(ending.kind === 'written' ? ending.facts : {}),
        ...(ending.kind === 'failed' ? { code: ending.code } : {}),
        receipt: receipt.id,
        receipts: record.receipts.map(({ id }) => id),
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
        timings: { totalMs: endedAt - startedAt },
      },
    });
    return run.id;
  } catch {
    return undefined;
  }
}

function statusOf(ending: RunEnding): RunStatus {
  if (ending.kind !== 'failed') return 'succeeded';
  if (ending.code === 'CANCELLED') return 'cancelled';
  return ending.code === 'TIMEOUT' ? 'timeout' : 'failed';
}

/** For the list of what was sent; the same call sent twice is listed twice, one that was only shown once. */
async function storeReceipts(
  store: Store,
  { request, assembled, receipts, ending }: RunToRecord,
): Promise<void> {
  const { saving, stablePrefixHash, skill } = assembled;
  for (const receipt of receipts) {
    const { used, budget } = receipt;
    const facts = { skillId: skill.id, tokens: used.n, budget: budget.n };
    const summary = { ...facts, saved: saving.tokens, stablePrefixHash };
    const draft = { operation: 'ai:skill:run', summary, value: receipt };
    await store.receipts
      .put(request.projectId, { ...draft, id: receipt.id })
      .catch(() => (ending.kind === 'written' ? store.receipts.put(request.projectId, draft) : undefined))
      .catch(() => undefined);
  }
}

// What is remembered of an accepted text: its first and last sentence, so that a later run knows what happened here.
const mostCharacters = 160;
const sentence = /[^。！？!?.…\n]+[。！？!?.…]*["'”’」』]*/gu;

export function episodeOf(text: string): string {
  const sentences = (text.match(sentence) ?? []).map((words) => words.trim()).filter((words) => words !== '');
  const [first = '', ...rest] = sentences;
  const last = rest.at(-1);
  const half = last === undefined ? mostCharacters : mostCharacters / 2;
  return [first, last]
    .flatMap((words) => (words === undefined ? [] : [clip(words, half)]))
    .join(rest.length > 1 ? ' … ' : ' ');
}

function clip(words: string, most: number): string {
  const characters = [...words.replace(/\s+/g, ' ')];
  return characters.length <= most ? characters.join('') : `${characters.slice(0, most - 1).join('')}…`;
}
