// One call of a skill from request to the two texts a model gets: an assembly with the skill as its plan, in chapters. Nothing is
// written.
import { GalleyError } from '../../core/model/error.js';
import type { SealedPrompt } from '../../core/model/press.js';
import type { Model } from '../../models/contract/model.js';
import { type Placement, sealFor } from '../../models/contract/placement.js';
import type { SkillOrigin } from '../../skills/skill-registry.js';
import { resultOf } from '../context/assemble-context.js';
import type { ContextOrder } from '../context/context-request.js';
import type { ContextAssembleResult, ContextReceipt } from '../context/context-result.js';
import { findSkill } from '../context/find-skill.js';
import type { ContextPorts } from '../context/gather-context.js';
import { type SetContext, setContext } from '../context/set-context.js';
import { keptRefs } from './kept-refs.js';
import { type Saving, savingOf } from './saving.js';
import type { SkillRunRequest } from './skill-run-request.js';

export interface AssembledSkill
  extends Pick<
    ContextAssembleResult,
    'layers' | 'stablePrefixHash' | 'stablePrefixUnchanged' | 'warnings' | 'cache'
  > {
  readonly systemPrompt: string;
  readonly userContent: string;
  readonly skill: { readonly id: string; readonly name: string; readonly origin: SkillOrigin };
  /** System and user text together. */
  readonly tokens: number;
  /** What the skill aims at, or all there is where it must exceed that. */
  readonly budget: number;
  readonly saving: Saving;
  /** Of everything that stands in the texts. */
  readonly refs: readonly string[];
  readonly receipt: ContextReceipt;
}

export interface SkillCall {
  readonly assembled: AssembledSkill;
  readonly set: SetContext;
  readonly sealed: SealedPrompt;
}

export interface SkillPorts extends ContextPorts {
  /** Who will read it; without one the texts are set as most models take them. */
  readonly model?: Model | undefined;
}

async function setFor(
  model: Model | undefined,
  set: (placement?: Placement) => Promise<SetContext>,
): Promise<SetContext> {
  if (model === undefined) return set();
  let last: SetContext | undefined;
  await sealFor(model, async (placement) => {
    last = await set(placement);
    return last.sealed;
  });
  return last ?? set();
}

export function orderOf(request: SkillRunRequest): ContextOrder {
  return { ...request, refill: true, format: 'chapters' };
}

export async function assembleSkill(
  request: SkillRunRequest,
  ports: SkillPorts,
  options: { readonly previous?: string | undefined } = {},
): Promise<SkillCall> {
  const found = ports.found ?? (await findSkill(ports.store, request, ports.folder));
  if (found.skill === undefined) {
    throw new GalleyError(
      'NOT_FOUND',
      'skillId: no such skill; skills:list names the skills of this project.',
      { details: { field: 'skillId' } },
    );
  }
  const set = await setFor(ports.model, (placement) =>
    setContext(orderOf(request), { ...ports, found }, { ...options, placement }),
  );
  const { sealed } = set;
  const { tokenCount, layers, stablePrefixHash, stablePrefixUnchanged, warnings, cache } = resultOf(
    request,
    set,
    { previous: set.history, warnings: [] },
  );
  const { id, name, budgetTokens } = found.skill;
  const aim = request.budget === undefined ? budgetTokens : undefined;
  return {
    set,
    sealed,
    assembled: {
      systemPrompt: sealed.system,
      userContent: sealed.prompt,
      skill: { id, name, origin: found.origin ?? 'built-in' },
      tokens: tokenCount,
      budget: aim !== undefined && tokenCount <= aim ? aim : sealed.receipt.budget.n,
      saving: await savingOf(set, request.language, ports.signal),
      refs: keptRefs(sealed.receipt),
      ...{ layers, stablePrefixHash, stablePrefixUnchanged, warnings, cache },
      receipt: sealed.receipt,
    },
  };
}
