// One call of a skill from request to the two texts a model gets: an assembly with the skill as its plan, in chapters. Nothing is
// written.
import { GalleyError } from '../../core/model/error.js';
import { amountOf } from '../../core/model/meter.js';
import type { SealedPrompt } from '../../core/model/press.js';
import type { Receipt } from '../../core/model/receipt.js';
import type { Model } from '../../models/contract/model.js';
import { type Placement, sealFor } from '../../models/contract/placement.js';
import type { PromptLanguage } from '../../skills/skill.js';
import type { SkillOrigin } from '../../skills/skill-registry.js';
import { resultOf } from '../context/assemble-context.js';
import { type ContextAssembleResult, type ContextReceipt, isPresent } from '../context/context-result.js';
import { deadline } from '../context/deadline.js';
import { findSkill } from '../context/find-skill.js';
import type { ContextPorts } from '../context/gather-context.js';
import { type SetContext, setContext } from '../context/set-context.js';
import { needsOf } from '../layers/context-needs.js';
import type { ContextOrder, SkillRunRequest } from '../layers/context-request.js';
import { wordBody } from '../layers/layered-dialect.js';
import { layeredWords } from '../layers/layered-words.js';
import { estimateTokens } from '../layers/scene.js';
import { gatherLayers } from '../sources/gather-layers.js';

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

export function requestOfRun(request: SkillRunRequest): ContextOrder {
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
    setContext(requestOfRun(request), { ...ports, found }, { ...options, placement }),
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

// Where everything that stands in the texts comes from, each file once for every unbroken run of lines.
interface Stretch {
  readonly path: string;
  readonly start: number;
  end: number;
}

const lined = /^(ref:.*)#L(\d+)-L(\d+)$/su;

function keptRefs(receipt: Receipt): readonly string[] {
  const refs = new Set<string>();
  let open: Stretch | undefined;
  const close = () => {
    if (open !== undefined) refs.add(`${open.path}#L${open.start}-L${open.end}`);
    open = undefined;
  };
  for (const line of receipt.ledger) {
    if (!isPresent(line) || line.ref === undefined) continue;
    const [, path, from, to] = lined.exec(line.ref) ?? [];
    if (path === undefined) {
      close();
      refs.add(line.ref);
      continue;
    }
    const start = Number(from);
    if (open?.path === path && start >= open.start && start <= open.end + 1) {
      open.end = Math.max(open.end, Number(to));
      continue;
    }
    close();
    open = { path, start, end: Number(to) };
  }
  close();
  return [...refs];
}

// What a run saves against injecting everything: all material of the project, all memory, and the whole chapter.
interface Saving {
  /** What everything would cost. */
  readonly everything: number;
  readonly used: number;
  readonly tokens: number;
  /** Part of everything that was saved, 0 to 1. */
  readonly ratio: number;
}

/** What a run says in any case. */
const ownSections: ReadonlySet<string> = new Set(['identity', 'skill', 'task']);
const exactUpTo = 200_000;
const mostSummaries = 50;

async function savingOf(
  { store, scene, meter, fragments, sealed }: SetContext,
  language: PromptLanguage,
  signal: AbortSignal,
): Promise<Saving> {
  const wanted = { ...needsOf(undefined), retrieval: false, story: false, summaries: mostSummaries };
  // What the skill does not ask for may fail without anybody needing to know.
  const { fragments: all } = await gatherLayers(
    { store, scene, wanted, entities: [], meter },
    { deadline, signal },
  );
  const always = fragments.filter(({ section }) => ownSections.has(section));
  const words = layeredWords[language];
  let weight = 0;
  for (const { levels } of [...always, ...all]) {
    const body = levels[0]?.body;
    if (body !== undefined) weight += meter.weigh(`${wordBody(body, 1, words)}\n`);
  }
  // A book in one file would take seconds to weigh, only to say that it is too much.
  const chapter = scene.indexed.text;
  weight +=
    chapter.length <= exactUpTo ? meter.weigh(chapter) : Math.ceil(estimateTokens(chapter)) * meter.scale;
  const used = sealed.receipt.used.n;
  const whole = Math.max(used, amountOf(meter, weight).n);
  const tokens = whole - used;
  return {
    everything: whole,
    used,
    tokens,
    ratio: whole === 0 ? 0 : Math.round((tokens / whole) * 1000) / 1000,
  };
}
