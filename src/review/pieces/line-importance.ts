// How much does it matter that a changed line is seen, when not all of them can be? What its path is for, and what the rules see in
// the unit it belongs to: code that can break others comes first, prose last.
import { type LineRange, overlaps } from '../../code/range-evidence.js';
import type { Hunk } from '../../git/patch/patch.js';
import { groupBy } from '../change/group-by.js';
import type { ReviewPlan } from '../plan/plan-review.js';
import type { JudgedUnit } from '../plan/planner-index.js';
import { type Risk, risks } from '../plan/rule.js';

type HunkPlace = Pick<Hunk, 'oldStart' | 'oldCount' | 'newStart' | 'newCount'>;

export interface Importance {
  /** The beginning of what is urgent stands before everything else, then that of all code; tests come later, and prose last. */
  readonly turn: 'urgent' | 'usual' | 'later' | 'last';
  /** What one line counts; an ordinary one of source counts one. */
  readonly line: number;
}

export type LineImportance = (path: string, hunk: HunkPlace) => Importance;

const classFactor: Readonly<Record<PathClass, number>> = {
  security: 1,
  routing: 1,
  config: 1,
  source: 1,
  test: 0.5,
  other: 0.3,
  docs: 0.15,
};
const turnByPath: Readonly<Partial<Record<PathClass, Importance['turn']>>> = {
  security: 'urgent',
  test: 'later',
  docs: 'last',
};
const riskFactor: Readonly<Record<Risk, number>> = { low: 0.75, medium: 1, high: 2 };
/** What breaks elsewhere, or only once something fails, is seen by nobody but a reviewer. */
const urgentTags = new Set([
  'signature_change',
  'deleted_symbol',
  'error_handling',
  'security_sensitive',
  'near_security',
]);
const tellingTags = new Set([...urgentTags, 'public_api', 'routing_file', 'migration']);
const tellingFactor = 1.5;

/** Above this many files the syntax trees would cost more than the choice is worth. */
const maxFiles = 2000;

export const importanceByPath: LineImportance = (path) => {
  const kind = pathClass(path);
  const turn = turnByPath[kind] ?? 'usual';
  return { turn, line: classFactor[kind] * riskFactor[kind === 'security' ? 'high' : 'medium'] };
};

export async function importanceByRules(
  files: number,
  plan: () => Promise<Pick<ReviewPlan, 'judged'>>,
): Promise<LineImportance> {
  if (files > maxFiles) return importanceByPath;
  const units = groupBy((await plan()).judged, ({ unit }) => unit.path);
  return (path, hunk) => {
    const touched = (units.get(path) ?? []).filter(
      ({ unit }) =>
        meets(unit.added, hunk.newStart, hunk.newCount) || meets(unit.removed, hunk.oldStart, hunk.oldCount),
    );
    const byPath = importanceByPath(path, hunk);
    if (touched.length === 0 || byPath.turn === 'last') return byPath;
    const kind = pathClass(path);
    const risk = risks[Math.max(...touched.map(({ verdict }) => risks.indexOf(verdict.risk)))] ?? 'medium';
    const factor = Math.max(riskFactor[risk], speaks(touched, tellingTags) ? tellingFactor : 0);
    const isUrgent = classFactor[kind] === 1 && (risk === 'high' || speaks(touched, urgentTags));
    const turn = isUrgent ? 'urgent' : byPath.turn === 'later' ? 'later' : 'usual';
    return { turn, line: classFactor[kind] * factor };
  };
}

function speaks(units: readonly JudgedUnit[], tags: ReadonlySet<string>): boolean {
  return units.some(({ verdict }) => verdict.tags.some((tag) => tags.has(tag)));
}

function meets(ranges: readonly LineRange[], start: number, count: number): boolean {
  return overlaps(ranges, start, start + count - 1);
}

/** What a file is for, by its path alone. */
type PathClass = 'security' | 'config' | 'routing' | 'source' | 'other' | 'test' | 'docs';

/** Higher stays longer. */
const classRank: Readonly<Record<PathClass, number>> = {
  security: 6,
  config: 5,
  routing: 5,
  source: 4,
  other: 2,
  test: 1,
  docs: 0,
};

const test =
  /(^|\/)(__tests__|__mocks__|__snapshots__|tests?|specs?|e2e|fixtures|testdata)\/|[._-](test|spec)s?\.[^/]+$|_test\.[a-z]+$|(^|\/)test_[^/]+\.py$|Tests?\.(java|kt|cs|swift|scala|php)$|\.snap$/;
const docs =
  /(^|\/)(docs?|documentation|examples?)\/|\.(md|mdx|rst|adoc|txt)$|(^|\/)(LICENSE|CHANGELOG|AUTHORS|CONTRIBUTING)[^/]*$/i;
const security =
  /(^|[/._-])(auth|authn|authz|security|permissions?|crypto|passwords?|tokens?|sessions?|login|oauth|jwt|csrf|cors|acl|rbac|secrets?)([/._-]|$)/i;
const routing = /(^|[/._-])(routes?|routers?|routing|urls|endpoints?|middlewares?)([/._-]|$)/i;
const config =
  /(^|\/)(Dockerfile|Makefile|Jenkinsfile|Procfile|package\.json|tsconfig[^/]*\.json|go\.mod|Cargo\.toml|pyproject\.toml|pom\.xml|build\.gradle(\.kts)?|settings\.gradle(\.kts)?|\.env[^/]*)$|(^|\/)(\.github|\.gitlab|\.circleci|k8s|helm|terraform|migrations?)\/|\.(tf|hcl|ini|toml|properties)$|(^|[/._-])config([/._-]|$)|\.ya?ml$/i;
const source =
  /\.(c|cc|cpp|cxx|h|hh|hpp|cs|go|java|kt|kts|scala|groovy|gradle|js|cjs|mjs|jsx|ts|cts|mts|tsx|vue|svelte|astro|py|pyi|rb|php|rs|swift|m|mm|lua|pl|r|ex|exs|erl|hs|clj|dart|sql|sh|bash|zsh|ps1|proto|graphql|gql|zig|nim|ml|fs|jl|sol)$/i;

export function pathClass(path: string): PathClass {
  if (test.test(path)) return 'test';
  if (docs.test(path)) return 'docs';
  if (security.test(path)) return 'security';
  if (config.test(path)) return 'config';
  if (routing.test(path)) return 'routing';
  return source.test(path) ? 'source' : 'other';
}

export function riskByPath(path: string): number {
  return classRank[pathClass(path)];
}
