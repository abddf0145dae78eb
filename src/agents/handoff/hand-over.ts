// From a session to the turn that another agent goes on with.

import type { Receipt } from '../../core/model/receipt.js';
import type { Catalog } from '../../models/catalog/catalog.js';
import type { AgentCliName } from '../../models/cli/agent-cli.js';
import { agentClis } from '../../models/cli/find-agent-cli.js';
import { findSession } from '../sessions/find-sessions.js';
import type { SessionHomes } from '../sessions/session-homes.js';
import { gatherHandoff } from './gather-handoff.js';
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
  };
  /** What a session holds that is never handed over. */
  readonly left: { readonly results: number; readonly characters: number };
  readonly receipt: Receipt;
}

interface HandOverOptions {
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
  const files = await touchedFiles(matter.files, { folder, startedAt: matter.startedAt, signal });
  const { prompt, receipt } = await setHandoff(matter, files, {
    ...options,
    from: agentClis[found.cli].title,
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
    },
    left: matter.left,
    receipt,
  };
}

const stays: ReadonlySet<string> = new Set(['kept', 'stepped-down', 'cut', 'refilled']);
