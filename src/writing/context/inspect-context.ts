// context:inspect: the same run as an assembly with the texts attached. It writes nothing, so looking changes nothing.
import { byCodePoint } from '../../core/model/code-point-order.js';
import { GalleyError } from '../../core/model/error.js';
import type { Verdict } from '../../core/model/verdict.js';
import { hashText } from '../../meters/content-hash.js';
import { type AssemblePorts, resultOf, takingTurns } from './assemble-context.js';
import type { LayerId } from './budget-profile.js';
import type { CheckedContextRequest } from './context-request.js';
import type { ContextAssembleResult } from './context-result.js';
import { keptIds } from './kept-fragments.js';
import { type SetContext, setContext } from './set-context.js';
import { stablePrefix } from './stable-prefix.js';

export interface InspectedItem {
  readonly id: string;
  readonly source: string;
  readonly section: string;
  readonly tokenCount: number;
  readonly verdict: Verdict;
  readonly reason: string;
  readonly text: string;
}

export interface InspectedLayer {
  readonly tokens: number;
  readonly truncated: boolean;
  /** As it stands in the prompt. */
  readonly text: string;
  readonly items: readonly InspectedItem[];
}

export type ContextInspectResult = Omit<ContextAssembleResult, 'prompt' | 'layers' | 'receiptId'> & {
  readonly layers: Readonly<Record<LayerId, InspectedLayer>> & {
    readonly retrieved: InspectedLayer & { readonly chunks: number };
  };
};

/** Asked before anything is read. */
export function checkMayInspect({ debug, authorised }: { debug: boolean; authorised: boolean }): void {
  if (debug && authorised) return;
  throw new GalleyError(
    'CONTEXT_INSPECT_FORBIDDEN',
    'Inspecting shows texts: it needs debug mode (GALLEY_DEBUG=1) and a caller with the grant "inspect".',
  );
}

export async function inspectContext(
  request: CheckedContextRequest,
  ports: AssemblePorts,
): Promise<ContextInspectResult> {
  return takingTurns(request, ports, async (signal) => {
    const set = await setContext(request, { ...ports, signal });
    const prefix = stablePrefix(set.prompt, set.receipt, hashText);
    const {
      prompt: _prompt,
      layers,
      ...rest
    } = resultOf(request, set, { prefix, previous: set.lane, warnings: [] });
    const detailed = <Outcome extends { tokens: number; truncated: boolean }>(
      id: LayerId,
      outcome: Outcome,
    ) => ({
      ...outcome,
      text: layerText(set, id),
      items: itemsOf(set, id),
    });
    return {
      ...rest,
      layers: {
        rules: detailed('rules', layers.rules),
        settings: detailed('settings', layers.settings),
        retrieved: detailed('retrieved', layers.retrieved),
        immediate: detailed('immediate', layers.immediate),
      },
    };
  });
}

function itemsOf({ fragments, receipt, dialect }: SetContext, layer: LayerId): InspectedItem[] {
  const kept = keptIds(receipt);
  const shown = shownBodies(receipt);
  const places = new Map<string, number>();
  // As in the prompt: what stays is counted in its section, in the order of the prompt.
  const inOrder = [...fragments].sort((a, b) => a.position - b.position || byCodePoint(a.id, b.id));
  const texts = new Map(
    inOrder.map((fragment) => {
      const { id, section } = fragment;
      const place = (places.get(section) ?? 0) + 1;
      if (kept.has(id)) places.set(section, place);
      const body = shown(fragment);
      return [id, body === undefined ? '' : dialect.word(body, fragment, place)];
    }),
  );
  return receipt.ledger
    .filter((line) => line.layer === layer)
    .map(({ fragment, source, section = '', amount = 0, verdict, reason }) => ({
      id: fragment,
      source,
      section,
      tokenCount: amount,
      verdict,
      reason,
      text: texts.get(fragment) ?? '',
    }));
}

/** As full as the receipt says; what was left out as it would have stood. */
function shownBodies({ ledger }: SetContext['receipt']) {
  const levels = new Map(ledger.map(({ fragment, level }) => [fragment, level]));
  return ({ id, levels: [whole, ...lesser] }: SetContext['fragments'][number]) =>
    (lesser.find(({ name }) => name === levels.get(id)) ?? whole)?.body;
}

/** Sections of the layer with their headings, in the order of the prompt. */
function layerText({ fragments, receipt, prompt, dialect }: SetContext, layer: LayerId): string {
  const kept = keptIds(receipt);
  const byId = new Map(fragments.map((fragment) => [fragment.id, fragment]));
  const shown = shownBodies(receipt);
  const sections = new Map<string, string[]>();
  for (const { spans } of prompt.pages[0]?.parts ?? []) {
    for (const { fragment: id } of spans) {
      const fragment = byId.get(id);
      if (fragment?.layer !== layer || !kept.has(id)) continue;
      const body = shown(fragment);
      if (body === undefined) continue;
      const words = sections.get(fragment.section) ?? [];
      words.push(dialect.word(body, fragment, words.length + 1));
      sections.set(fragment.section, words);
    }
  }
  const page = { index: 1, total: 1 };
  return [...sections]
    .map(([id, words]) => {
      const { heading, between } = dialect.section(id, page);
      return heading + words.join(between);
    })
    .join(dialect.apart);
}
