// Sets the gathered layers. Above their line Rules keep only what the text at hand needs, and cards chosen that way move
// behind the cache boundary.
import { typeset } from '../../core/assemble.js';
import type { Fragment } from '../../core/model/fragment.js';
import type { Meter } from '../../core/model/meter.js';
import type { Assembly, Press } from '../../core/model/press.js';
import type { Receipt } from '../../core/model/receipt.js';
import type { LayerBody } from './layer-body.js';

export interface LayerPress extends Pick<Press<LayerBody>, 'recipe' | 'dialect' | 'hash'> {
  readonly meter: Meter;
  readonly project: string;
  readonly total: number;
}

export interface PressedLayers extends Assembly {
  /** As they were offered in the end. */
  readonly fragments: readonly Fragment<LayerBody>[];
}

export function pressLayers(fragments: readonly Fragment<LayerBody>[], press: LayerPress): PressedLayers {
  const first = setOnce(fragments, press);
  if (leftOverLine(first.receipt).length === 0) return { ...first, fragments };
  const moved = fragments.map((fragment) =>
    fragment.section === 'entities' && !fragment.pinned
      ? { ...fragment, section: 'relevant-entities' }
      : fragment,
  );
  return { ...setOnce(moved, press), fragments: moved };
}

/** Ids that Rules gave up to keep to their own line. */
export function leftOverLine(receipt: Receipt): readonly string[] {
  return receipt.ledger.flatMap(({ fragment, verdict }) => (verdict === 'over-own-line' ? [fragment] : []));
}

function setOnce(fragments: readonly Fragment<LayerBody>[], press: LayerPress): Assembly {
  const { recipe, dialect, meter, hash, project, total } = press;
  const order = { scope: { project }, budget: { limit: { unit: meter.unit, n: total } } };
  return typeset({ recipe, dialect, meter, hash }, order, fragments);
}
