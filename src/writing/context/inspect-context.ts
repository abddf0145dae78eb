// context:inspect: the same run as an assembly with the texts attached. It writes nothing, so looking changes nothing.
import { GalleyError } from '../../core/model/error.js';
import type { Verdict } from '../../core/model/receipt.js';
import type { CheckedContextRequest } from '../layers/context-request.js';
import type { LayerId } from '../layers/layered-recipe.js';
import { type AssemblePorts, resultOf, takingTurns } from './assemble-context.js';
import type { ContextAssembleResult } from './context-result.js';
import { isKept } from './press-layers.js';
import { type SetContext, setContext } from './set-context.js';

export interface InspectedItem {
  readonly id: string;
  readonly source: string;
  readonly section: string;
  readonly tokenCount: number;
  readonly verdict: Verdict;
  readonly reason: string;
  readonly text: string;
  /** Names of the levels it can stand at, fullest first; where there is more than one. */
  readonly levels?: readonly string[];
}

export interface InspectedLayer {
  readonly tokens: number;
  readonly truncated: boolean;
  /** As it stands in the prompt. */
  readonly text: string;
  readonly items: readonly InspectedItem[];
}

export type ContextInspectResult = Omit<ContextAssembleResult, 'layers' | 'receiptId'> & {
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
    const { layers, ...rest } = resultOf(request, set, { previous: set.history, warnings: [] });
    const words = wordsIn(set);
    const detailed = <Outcome extends { tokens: number; truncated: boolean }>(
      id: LayerId,
      outcome: Outcome,
    ) => ({
      ...outcome,
      text: layerText(set, id),
      items: set.sealed.receipt.ledger
        .filter(({ layer }) => layerOf(layer) === id)
        .map(({ fragment, source, section = '', amount = 0, verdict, reason }): InspectedItem => {
          const levels = set.levelsOf(fragment);
          return {
            ...{ id: fragment, source, section, tokenCount: amount, verdict, reason },
            text: words.get(fragment) ?? '',
            ...(levels.length < 2 ? {} : { levels }),
          };
        }),
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

/** Other people are Rules, too. */
function layerOf(layer: string): string {
  return layer === 'people' ? 'rules' : layer;
}

/** What stands in the prompt as it stands there; what does not, as it would have. */
function wordsIn({ page, layout }: SetContext): ReadonlyMap<string, string> {
  const words = new Map(
    layout.choices
      .filter((choice) => !isKept(choice))
      .map(({ wording }) => [wording.fragment.id, wording.levels[0]?.textAt(1) ?? '']),
  );
  for (const { text, spans } of page.parts) {
    const bytes = Buffer.from(text);
    for (const { fragment, start, end } of spans) words.set(fragment, bytes.toString('utf8', start, end));
  }
  return words;
}

/** Sections of the layer with their headings, byte for byte, in the order of the prompt. */
function layerText({ page, layout, dialect }: SetContext, layer: LayerId): string {
  const homes = new Map(layout.choices.map(({ wording: { fragment } }) => [fragment.id, fragment]));
  const sections: string[] = [];
  for (const { text, spans } of page.parts) {
    const bytes = Buffer.from(text);
    let from = 0;
    spans.forEach(({ fragment, end }, index) => {
      const own = homes.get(fragment);
      const next = homes.get(spans[index + 1]?.fragment ?? '');
      if (next !== undefined && next.section === own?.section) return;
      const isFence = own?.id.startsWith('fence:') === true;
      if (layerOf(own?.layer ?? '') === layer && !isFence) sections.push(bytes.toString('utf8', from, end));
      from = end + Buffer.byteLength(dialect.apart);
    });
  }
  return sections.join(dialect.apart);
}
