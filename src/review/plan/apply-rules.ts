// What the rules say about a unit: every rule that holds adds its tags, one that settles decides the level, else the highest wins.
// What a built-in rule settles, an own rule of the project may say otherwise.
import ignore from 'ignore';
import type { CodeSymbol } from '../../code/syntax/outline-model.js';
import { byCodePoint } from '../../core/model/code-points.js';
import type { ReviewUnit } from '../units/unit.js';
import {
  type ContextLevel,
  type ExtraRequest,
  levelRank,
  type RequestType,
  uniqueRequests,
} from './context-need.js';
import { type Risk, type Rule, risks } from './rule.js';
import { isToolFile } from './tool-files.js';
import { type UnitEvidence, unitEvidence } from './unit-evidence.js';

export interface RuleVerdict {
  readonly tags: readonly string[];
  readonly level: ContextLevel;
  readonly confidence: number;
  readonly risk: Risk;
  /** One for each rule that holds, and `high_risk` where one says so. */
  readonly notes: readonly string[];
  readonly extraRequests: readonly ExtraRequest[];
}

const fallback = { level: 'function', confidence: 0.3 } as const;
const maxSubjects = 5;

interface RuleSet {
  readonly builtIn: readonly Rule[];
  readonly own: readonly Rule[];
}

export function applyRules(
  unit: ReviewUnit,
  { builtIn, own }: RuleSet,
  { moved, isStale }: { readonly moved: ReadonlySet<CodeSymbol>; readonly isStale: boolean },
): RuleVerdict {
  const evidence = unitEvidence(unit, { moved, isStale });
  const holding = [...builtIn, ...own].filter((rule) => holds(rule, unit.path, evidence));
  const deciding = decisive(holding, new Set(own));
  const { level, confidence } = highest(deciding);
  const risk = holding.reduce<Risk>((most, rule) => riskier(most, rule.risk ?? 'low'), 'low');
  const requests = deciding.flatMap((rule) => rule.extra_requests ?? []);
  return {
    tags: [...new Set(holding.flatMap((rule) => rule.tags))].sort(byCodePoint),
    level,
    confidence,
    risk,
    notes: [
      ...(risk === 'high' ? ['high_risk'] : []),
      ...holding.map((rule) => (rule.reason === undefined ? rule.id : `${rule.id}: ${rule.reason}`)),
    ],
    extraRequests: uniqueRequests(requests.flatMap((type) => address(type, unit, evidence))),
  };
}

function holds(rule: Rule, path: string, { names }: UnitEvidence): boolean {
  const { all = [], any, none = [], paths } = rule.when;
  if (!all.every((name) => names.has(name)) || none.some((name) => names.has(name))) return false;
  if (any !== undefined && !any.some((name) => names.has(name))) return false;
  return paths === undefined || ignore().add(paths).ignores(path);
}

/** The rules that have a say in the level. */
function decisive(holding: readonly Rule[], own: ReadonlySet<Rule>): readonly Rule[] {
  const settling = holding.filter((rule) => rule.settles);
  if (settling.length === 0) return holding;
  const ownSettling = settling.filter((rule) => own.has(rule));
  if (ownSettling.length > 0) return ownSettling;
  const speaking = holding.filter((rule) => own.has(rule));
  return speaking.some((rule) => rule.level !== undefined) ? speaking : [...settling, ...speaking];
}

function highest(deciding: readonly Rule[]): { level: ContextLevel; confidence: number } {
  const speaking = deciding.filter((rule) => rule.level !== undefined);
  let best: { level: ContextLevel; confidence: number } | undefined;
  for (const { level = fallback.level, confidence = fallback.confidence } of speaking) {
    const step = best === undefined ? 1 : levelRank(level) - levelRank(best.level);
    if (step > 0 || (step === 0 && confidence > (best?.confidence ?? 0))) best = { level, confidence };
  }
  return best ?? fallback;
}

function riskier(left: Risk, right: Risk): Risk {
  return risks.indexOf(right) > risks.indexOf(left) ? right : left;
}

/** A request by type becomes requests by name; one that has nothing to be about is dropped. */
function address(type: RequestType, unit: ReviewUnit, { names, symbols }: UnitEvidence): ExtraRequest[] {
  const about = (subjects: readonly string[]): ExtraRequest[] =>
    [...new Set(subjects)]
      .filter(isWord)
      .slice(0, maxSubjects)
      .map((symbol) => ({ type, symbol }));
  const owner = unit.symbol ?? unit.oldSymbol;
  const own = owner === undefined ? [] : [owner.name];
  switch (type) {
    case 'previous_version':
      return unit.removed.length > 0 && unit.file.before !== undefined ? [{ type }] : [];
    case 'callers':
      return about(symbols.changed);
    case 'search_callers':
      return about(symbols.gone);
    case 'search_config_usage':
      return configKeys(unit)
        .slice(0, maxSubjects)
        .map((keyword) => ({ type, keyword }));
    case 'search_implementations':
      return about(symbols.contracts.length > 0 ? symbols.contracts : own.length > 0 ? own : symbols.changed);
    case 'search_class_methods':
    case 'search_model_usage':
      return about(own.length > 0 ? own : symbols.changed);
    case 'search': {
      const { oldPath } = unit.file.patch.entry;
      if (names.has('old-path-imported') && oldPath !== undefined) return [{ type, keyword: oldPath }];
      return about(own);
    }
  }
}

function isWord(name: string): boolean {
  return /^[\p{L}_$][\p{L}\p{N}_$]{2,}$/u.test(name);
}

/** Keys on the changed lines of a configuration file, as far as they look like names of settings. */
function configKeys(unit: ReviewUnit): string[] {
  const keys = unit.lines.flatMap(({ text }) => {
    const [, key, value = ''] =
      /^\s*(?:-\s*)?(?:export\s+|ENV\s+)?["']?([A-Za-z_][\w.-]{2,})["']?\s*[:=]\s*(.*)$/.exec(text) ?? [];
    // A package with its version is no setting that code would read.
    return key === undefined || version.test(value) ? [] : [key];
  });
  const asked = [...new Set(keys)].filter((key) => !plainKeys.has(key));
  return isToolFile(unit.path) ? asked.filter((key) => environmentName.test(key)) : asked;
}

/** All that a program can read of a file that is written for a tool. */
const environmentName = /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/;

const version = /^["']?(?:[\^~<>=v]*\s*\d+\.\d+|workspace:|npm:|catalog:|[\w.-]+@\d)/;

const plainKeys = new Set(
  'name version description type run uses with steps jobs env key value path file files script scripts image main license author private engines test build lint branches push node python matrix include exclude'.split(
    ' ',
  ),
);
