// What a person sees of an agent at work: before it begins, while it works, and what it was refused in the end. Whoever reads a
// log gets one line for each tool; whoever watches also sees when it begins and what was used so far.
import { outside } from '../../../models/cli/tool-target.js';
import type { AgentEvent } from '../../../models/contract/agent-event.js';
import { type PlainWord, word } from '../words/word.js';

/** A tool and what it was used on, where that is known. */
interface ShownTool {
  readonly tool: string;
  readonly target?: string | undefined;
}

/** What it may do, and in which folder. */
export function beforeLines(may: string | undefined, folder: string): string[] {
  if (may === 'edit') return [word('agent.may-edit', { folder })];
  return may === 'run' ? [word('agent.may-run', { folder })] : [];
}

const warnings: Readonly<Record<string, PlainWord>> = {
  'only-reads': 'agent.warn-only-reads',
  'may-edit': 'agent.warn-may-edit',
  'may-run': 'agent.warn-may-run',
  'commands-anywhere': 'agent.warn-commands-anywhere',
  'edit-runs-commands': 'agent.warn-edit-runs-commands',
  'commands-in-sandbox': 'agent.warn-commands-in-sandbox',
  'no-name-search': 'agent.warn-no-name-search',
  'model-not-repeated': 'agent.warn-model-not-repeated',
  'refusals-unknown': 'agent.warn-refusals-unknown',
  'tries-again': 'agent.warn-tries-again',
  'keeping-folder': 'agent.warn-keeping-folder',
  'undo-not-kept': 'agent.warn-undo-not-kept',
  'undo-in-part': 'agent.warn-undo-in-part',
  'files-by-reference': 'agent.warn-files-by-reference',
  'asks-by-itself': 'agent.warn-asks-by-itself',
  'nothing-confines': 'agent.warn-nothing-confines',
  'cost-unknown': 'agent.warn-cost-unknown',
  'cost-ceiling': 'agent.warn-cost-ceiling',
  notice: 'agent.warn-notice',
};

export function eventLines(event: AgentEvent, { isWatched }: { readonly isWatched: boolean }): string[] {
  switch (event.kind) {
    case 'warning': {
      const known = warnings[event.about];
      return [known === undefined ? event.message : word(known)];
    }
    case 'tool-started':
      return isWatched ? [`… ${called(event)}`] : [];
    case 'tool-ended':
      return endLines(called(event), event.outcome, isWatched);
    case 'file-changed':
      return isWatched ? [word(`agent.file-${event.change}`, { path: event.path })] : [];
    case 'compacted':
      return [word('agent.compacted')];
    case 'usage':
      return isWatched
        ? [word('agent.so-far', { input: event.inputTokens, output: event.outputTokens })]
        : [];
    default:
      return [];
  }
}

function endLines(what: string, outcome: 'done' | 'failed' | 'refused', isWatched: boolean): string[] {
  if (outcome === 'done') return isWatched ? [] : [what];
  return [outcome === 'failed' ? word('agent.tool-failed', { what }) : word('agent.tool-refused', { what })];
}

/** What it was refused, and the flag that would let it, where there is one. */
export function refusalLines(
  refusals: readonly ShownTool[],
  options: { readonly agent?: string; readonly may?: string } | undefined,
): string[] {
  if (refusals.length === 0) return [];
  const list = refusals.map(called).join(word('list.comma'));
  const { agent, may } = options ?? { may: 'run' };
  // The sandbox of Codex is the same under edit and run, and no flag lets an agent out of its folder.
  const isSandboxed = agent === 'codex' && may === 'edit';
  const isFlagged = may !== 'run' && !isSandboxed && refusals.some(({ target }) => target !== outside);
  const hints = [
    ...(isFlagged ? [word(may === 'edit' ? 'agent.hint-run' : 'agent.hint-edit')] : []),
    ...(isSandboxed || refusals.some(({ target }) => target === outside) ? [word('agent.hint-outside')] : []),
  ];
  return [[word('agent.refused', { list }), ...hints].join(' ')];
}

function called({ tool, target }: ShownTool): string {
  return target === undefined ? tool : `${tool} ${target.replaceAll(outside, word('agent.outside'))}`;
}
