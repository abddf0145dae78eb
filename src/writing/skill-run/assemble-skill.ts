// One skill run from request to the two texts a model gets: only what the skill's rules ask for, in fixed chapters, within the
// skill's budget. Nothing is written.
import { typeset } from '../../core/assemble.js';
import { GalleyError, isGalleyError } from '../../core/model/error.js';
import type { Fragment } from '../../core/model/fragment.js';
import { amountOf } from '../../core/model/meter.js';
import type { Assembly, Press } from '../../core/model/press.js';
import { partText } from '../../core/model/prompt.js';
import type { Receipt } from '../../core/model/receipt.js';
import type { Warning } from '../../core/model/warning.js';
import { hashText } from '../../meters/content-hash.js';
import type { Skill } from '../../skills/skill.js';
import type { SkillOrigin } from '../../skills/skill-registry.js';
import type { BudgetProfile } from '../context/budget-profile.js';
import { readMeter } from '../context/context-meter.js';
import { budgetFallback, overLineWarning, trimWarnings, warningWords } from '../context/context-warnings.js';
import { readBudget } from '../context/read-budget.js';
import { mostInputTokens } from '../context/set-context.js';
import { estimateTokens } from '../layers/estimate-tokens.js';
import { layeredWords } from '../layers/layered-words.js';
import { withUntoldLines } from '../story/left-out.js';
import type { ChapterBody } from './chapter-body.js';
import { chapterFragments } from './chapter-fragments.js';
import { chapteredDialect } from './chaptered-dialect.js';
import { chapteredRecipe } from './chaptered-recipe.js';
import { chapteredWords } from './chaptered-words.js';
import { gatherForSkill } from './gather-for-skill.js';
import { keptRefs } from './kept-refs.js';
import { type Saving, savingOf } from './saving.js';
import type { SkillPorts } from './skill-ports.js';
import type { SkillRunRequest } from './skill-run-request.js';
import { surroundingFragments } from './surrounding-fragments.js';
import { taskFragments } from './task-fragments.js';

export interface AssembledSkill {
  readonly systemPrompt: string;
  readonly userContent: string;
  readonly skill: { readonly id: string; readonly name: string; readonly origin: SkillOrigin };
  /** System and user text together. */
  readonly tokens: number;
  readonly budget: number;
  readonly saving: Saving;
  /** Of everything that stands in the texts. */
  readonly refs: readonly string[];
  readonly stablePrefixHash: string;
  readonly warnings: readonly string[];
  readonly receipt: Receipt;
}

export async function assembleSkill(request: SkillRunRequest, ports: SkillPorts): Promise<AssembledSkill> {
  const [gathered, budget, weighing] = await Promise.all([
    gatherForSkill(request, ports),
    readBudget(ports.store, request.projectId),
    readMeter(request.model ?? '', ports.loadMeter),
  ]);
  ports.signal.throwIfAborted();
  const { language } = request;
  const { skill, scene, material, habit } = gathered;
  const selected = scene.indexed.text.slice(scene.window.start, scene.window.end);
  refuseTooLarge(selected, scene.instruction);
  const task = taskFragments({
    project: request.projectId,
    skill,
    text: selected,
    instruction: scene.instruction,
    words: chapteredWords[language],
  });
  const fragments = [
    ...task,
    ...chapterFragments(gathered.fragments, {
      rules: skill.contextRules,
      habit,
      scene,
      material,
      passageLines: gathered.passageLines,
    }),
    ...surroundingFragments(scene),
  ];
  const { meter } = weighing;
  const total =
    request.budget?.tokens ?? skill.budgetTokens ?? budget.profile.window - budget.profile.outputReserve;
  const dialect = chapteredDialect({ chapter: scene.title, skill: skill.name }, language);
  const press = { dialect, meter, hash: hashText };
  const { prompt, receipt } = setChapters(fragments, press, { total, profile: budget.profile, skill });
  const [page] = prompt.pages;
  const systemPrompt = partText(page, 'system');
  const warnings: Warning[] = [
    ...gathered.warnings,
    ...[budget, weighing].flatMap(({ warning }) => (warning === undefined ? [] : [warning])),
    ...(weighing.failed() ? [budgetFallback] : []),
    ...receipt.warnings,
    ...overLine(receipt),
    ...trimWarnings(receipt),
  ];
  return {
    systemPrompt,
    userContent: partText(page, 'prompt'),
    skill: { id: skill.id, name: skill.name, origin: gathered.origin },
    tokens: receipt.used.n,
    budget: total,
    saving: savingOf(meter, amountOf(meter, page?.weight ?? 0).n, {
      gathered: gathered.fragments,
      always: task.flatMap(({ levels }) => levels.flatMap(({ body }) => ('text' in body ? [body.text] : []))),
      chapter: scene.indexed.text,
      words: layeredWords[language],
    }),
    refs: keptRefs(receipt),
    stablePrefixHash: hashText(systemPrompt),
    warnings: warningWords(warnings),
    receipt: { ...withUntoldLines(receipt, gathered.untold), warnings },
  };
}

interface ChapterRoom {
  readonly total: number;
  readonly profile: BudgetProfile;
  readonly skill: Skill;
}

/** Nothing is given up while everything fits; otherwise Rules keep to their line and the other layers give way in turn. */
function setChapters(
  fragments: readonly Fragment<ChapterBody>[],
  press: Omit<Press<ChapterBody>, 'recipe'>,
  { total, profile, skill }: ChapterRoom,
): Assembly {
  const project = fragments[0]?.scope.project ?? '';
  const order = { scope: { project }, budget: { limit: { unit: press.meter.unit, n: total } } };
  const set = (rulesKeepLine: boolean) =>
    typeset({ ...press, recipe: chapteredRecipe(profile, { total, rulesKeepLine }) }, order, fragments);
  try {
    const whole = set(false);
    if (whole.receipt.concessions.made === 0) return whole;
  } catch (error) {
    if (!isGalleyError(error) || error.code !== 'CONTEXT_BUDGET_INFEASIBLE') throw error;
  }
  try {
    return set(true);
  } catch (error) {
    throw isGalleyError(error) && error.code === 'CONTEXT_BUDGET_INFEASIBLE'
      ? doesNotFit(error, skill)
      : error;
  }
}

function doesNotFit({ details = {} }: GalleyError, skill: Skill): GalleyError {
  const { needed = 0, limit = 0 } = details;
  return new GalleyError(
    'CONTEXT_BUDGET_INFEASIBLE',
    `The selected text, the skill's own text and the pinned rules need ${needed} tokens, and skill "${skill.id}" has ${limit}: select less text, or raise budget_tokens in the skill or budget.tokens in the request.`,
    { details: { ...details, skill: skill.id } },
  );
}

function refuseTooLarge(selected: string, instruction: string): void {
  const tokens = Math.ceil(estimateTokens(selected) + estimateTokens(instruction));
  if (tokens <= mostInputTokens) return;
  throw new GalleyError(
    'CONTEXT_INPUT_TOO_LARGE',
    `The selected text is about ${tokens} tokens and at most ${mostInputTokens} are taken; select less (请缩小选区).`,
    { details: { tokens, limit: mostInputTokens } },
  );
}

function overLine(receipt: Receipt): Warning[] {
  const left = receipt.ledger.some(({ verdict }) => verdict === 'over-own-line');
  const warning = left ? overLineWarning(receipt, 0.5) : undefined;
  return warning === undefined ? [] : [warning];
}
