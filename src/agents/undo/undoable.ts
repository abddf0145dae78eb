// A turn that can be taken back: the folder is kept before it and after it, however the turn ends.
import { toGalleyError } from '../../core/model/error.js';
import type { AgentEvent, Permission } from '../../models/contract/agent-event.js';
import { type AgentType, agentTypeOf } from '../assembler-input.js';
import { keepTurn } from './undo-turn.js';

interface Undoable {
  readonly folder: string;
  readonly may: Permission;
  /** The agent, as the user calls it. */
  readonly by: string;
  now(): number;
  readonly signal: AbortSignal;
  onEvent?: ((event: AgentEvent) => void) | undefined;
}

/** Agents whose file tools are all they have under `edit`, and which name each file they change. */
const namesItsFiles: ReadonlySet<AgentType> = new Set<AgentType>(['claude-code', 'google-gemini']);

export async function undoable<Answer extends object>(
  { folder, may, by, now, signal, onEvent }: Undoable,
  work: (onEvent: (event: AgentEvent) => void) => Promise<Answer>,
): Promise<Answer & { readonly turn?: string }> {
  const agentType = agentTypeOf(by);
  const tell = (event: AgentEvent) => onEvent?.(event);
  // Of the agents we know, read means read; others may do what they do not ask for.
  if (may === 'read' && agentType !== 'unknown') return { ...(await work(tell)) };
  const watched = await keepTurn(folder, {
    ...{ by, now, signal },
    onFirst: () => tell({ kind: 'warning', ...firstTime }),
  }).catch((error: unknown) => {
    if (signal.aborted) throw toGalleyError(error);
    tell({ kind: 'warning', ...notKept });
    return undefined;
  });
  if (watched === undefined) return { ...(await work(tell)) };
  if (watched.skipped > 0) tell({ kind: 'warning', ...partlyKept });
  const changed = new Set<string>();
  try {
    const answer = await work((event) => {
      if (event.kind === 'file-changed') changed.add(event.path);
      tell(event);
    });
    return { ...answer, turn: watched.id };
  } finally {
    const named = may === 'edit' && namesItsFiles.has(agentType) ? [...changed] : undefined;
    await watched.end(named).catch(() => tell({ kind: 'warning', ...notKept }));
  }
}

const firstTime = {
  about: 'keeping-folder',
  message:
    'The folder is kept for the first time, so that the turn can be undone; later turns keep only what changed.',
};

const notKept = {
  about: 'undo-not-kept',
  message: 'The folder could not be kept as it is, so this turn cannot be undone by galley agent undo.',
};

const partlyKept = {
  about: 'undo-in-part',
  message:
    'Files above 256 MB, what cannot be read and the history of repositories inside are not kept; galley agent undo does not bring them back.',
};
