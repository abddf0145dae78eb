// The stages in their order: gather, admit, phrase, fit, compose, seal. What to ask for is planned by the desk that asks.
import { gather } from './gather/gather.js';
import { layOut } from './lay-out.js';
import type { Fragment } from './model/fragment.js';
import type { AssembleOptions, Assembly, GatherOptions, PressSetup, SealNotes } from './model/press.js';

export async function assemble(
  press: PressSetup,
  order: AssembleOptions,
  wishes: GatherOptions,
): Promise<Assembly> {
  const { deadline, ...asked } = wishes;
  const gathered = await gather({ ...asked, scope: order.scope }, deadline);
  const warnings = [...(order.warnings ?? []), ...gathered.warnings];
  return typeset(press, { ...order, warnings }, gathered.candidates);
}

/** The synchronous half, for callers that hold their fragments already: admit, phrase, fit, compose, seal. */
export function typeset<Body>(
  press: PressSetup<Body>,
  order: AssembleOptions,
  candidates: readonly Fragment<Body>[],
  notes: SealNotes = {},
): Assembly {
  const layout = layOut(press, order, candidates);
  const pages = Array.from({ length: layout.pages }, (_, page) => layout.set(page));
  return { prompt: { pages }, receipt: layout.seal(notes) };
}
