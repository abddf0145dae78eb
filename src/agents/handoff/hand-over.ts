// From a session to the turn that another agent goes on with.

import { GalleyError, isGalleyError, toGalleyError, type Warning } from '../../core/model/error.js';
import type { Receipt } from '../../core/model/receipt.js';
import type { Catalog } from '../../models/catalog/catalog.js';
import type { AgentCliName } from '../../models/cli/agent-cli.js';
import { agentClis } from '../../models/cli/find-agent-cli.js';
import { type FoundSession, findSession } from '../sessions/find-sessions.js';
import type { SessionHomes } from '../sessions/session-homes.js';
import { gatherHandoff, noteQuestion } from './gather-handoff.js';
import { setHandoff } from './handoff-turn.js';
import { touchedFiles } from './touched-files.js';

export interface Handoff {
  readonly from: { readonly cli: AgentCliName; readonly id: string };
  readonly to: AgentCliName;
  readonly prompt: string;
  readonly tokens: number;
  readonly counts: {
    readonly requests: number;
    readonly steps: number;
    readonly decisions: number;
    readonly files: number;
    readonly messages: number;
    readonly notes: number;
  };
  /** What the note of the leaving agent cost, where it was asked and answered. */
  readonly asked?: AskedCost;
  readonly warnings: readonly Warning[];
  /** What a session holds that is never handed over. */
  readonly left: { readonly results: number; readonly characters: number };
  readonly receipt: Receipt;
}

export interface AskedCost {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly dollars?: number;
}

/** What the leaving agent says when it is asked once more. */
export interface AskedNote {
  readonly text: string;
  readonly cost: AskedCost;
}

interface HandOverOptions {
  /** Lets the leaving agent answer a question in its session. */
  readonly ask?: ((session: FoundSession, question: string) => Promise<AskedNote>) | undefined;
  readonly homes: SessionHomes;
  readonly folder: string;
  readonly session?: string | undefined;
  readonly to: AgentCliName;
  readonly model?: string | undefined;
  readonly budget?: number | undefined;
  readonly message?: string | undefined;
  readonly catalog: Catalog;
  readonly signal?: AbortSignal | undefined;
}

export async function handOver(options: HandOverOptions): Promise<Handoff> {
  const { homes, folder, signal, to } = options;
  const found = await findSession(homes, options.session, folder);
  const matter = await gatherHandoff(found, { signal });
  if ([matter.requests, matter.messages, matter.plan, matter.files].every(({ length }) => length === 0))
    throw new GalleyError(
      'NOT_FOUND',
      `Nothing was said in the session ${found.cli}:${found.id}, so there is nothing to hand over; galley agent sessions lists others.`,
    );
  const files = await touchedFiles(matter.files, { folder, startedAt: matter.startedAt, signal });
  const warnings: Warning[] = [];
  if (matter.unreadable > 0) warnings.push(cutSession(matter.unreadable));
  // Asked last, since its session then holds the question too.
  const note = await askedNote(found, options, warnings);
  const { prompt, receipt } = await setHandoff(matter, files, {
    ...options,
    from: agentClis[found.cli].title,
    note: note?.text,
  });
  const standing = receipt.ledger.filter(({ verdict }) => stays.has(verdict));
  const counted = (layer: string) => standing.filter((line) => line.layer === layer).length;
  return {
    from: { cli: found.cli, id: found.id },
    to,
    prompt,
    tokens: receipt.used.n,
    counts: {
      requests: counted('requests'),
      steps: counted('plan'),
      decisions: counted('decisions'),
      files: counted('files'),
      messages: counted('messages'),
      notes: counted('note'),
    },
    ...(note === undefined ? {} : { asked: note.cost }),
    warnings,
    left: matter.left,
    receipt,
  };
}

const stays: ReadonlySet<string> = new Set(['kept', 'stepped-down', 'cut', 'refilled']);

/** A handoff without the note is worth more than none. */
async function askedNote(
  found: FoundSession,
  { ask, signal }: HandOverOptions,
  warnings: Warning[],
): Promise<AskedNote | undefined> {
  if (ask === undefined) return undefined;
  try {
    const note = await ask(found, noteQuestion);
    if (note.text.trim() !== '') return note;
    warnings.push(noNote('MODEL_ANSWER_INVALID'));
    return note;
  } catch (error) {
    signal?.throwIfAborted();
    warnings.push(noNote((isGalleyError(error) ? error : toGalleyError(error)).code));
    return undefined;
  }
}

const noNote = (code: string): Warning => ({
  code: 'NOTE_MISSING',
  message: `The agent that leaves wrote no note (${code}); the turn is set without one.`,
  details: { code },
});

const cutSession = (lines: number): Warning => ({
  code: 'SESSION_DAMAGED',
  message: `The session file is damaged: ${lines === 1 ? '1 line is' : `${lines} lines are`} cut off or no JSON, and not in the turn.`,
  details: { lines },
});
