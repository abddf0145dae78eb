// Everything rules can know about a unit, from the syntax trees of both sides, the path and the entry.
import { type ChangeDepth, changeDepth } from '../../code/change-depth.js';
import { type LineRange, type RangeEvidence, rangeEvidence } from '../../code/range-evidence.js';
import type { CodeSymbol, EvidenceRole } from '../../code/syntax/outline-model.js';
import { type FileSide, languageOf } from '../units/changed-file.js';
import { rangesOf } from '../units/changed-lines.js';
import type { ReviewUnit } from '../units/unit.js';
import { changesFailure } from './failure-evidence.js';
import { freshLines, isRestyled } from './fresh-lines.js';
import { importsForEffect } from './module-head.js';
import { pathEvidence } from './path-evidence.js';
import { placeEvidence } from './place-evidence.js';
import type { EvidenceName } from './rule.js';
import { securityEvidence } from './security-evidence.js';
import { type SymbolFacts, symbolFacts } from './symbol-evidence.js';

export interface UnitEvidence {
  readonly names: ReadonlySet<EvidenceName>;
  readonly symbols: SymbolFacts;
}

const largeUnit = 100;
const depths: readonly ChangeDepth[] = ['none', 'whitespace', 'comment', 'string', 'code'];
const touching: readonly (readonly [EvidenceRole, EvidenceName])[] = [
  ['import', 'touches-imports'],
  ['logging', 'touches-logging'],
  ['concurrency', 'touches-concurrency'],
  ['data-access', 'touches-data-access'],
  ['routing', 'touches-routing'],
];

/** What a head in another spelling seems to say. */
const headEvidence: readonly EvidenceName[] = [
  'signature-changed',
  'structure-changed',
  'contract-changed',
  'public-changed',
];

interface ChangeFacts {
  /** What only changed its file. */
  readonly moved: ReadonlySet<CodeSymbol>;
  /** Files outside still import the unit's file by its old path. */
  readonly isStale: boolean;
}

export function unitEvidence(unit: ReviewUnit, { moved, isStale }: ChangeFacts): UnitEvidence {
  const names = new Set<EvidenceName>([...pathEvidence(unit.path), ...entryEvidence(unit)]);
  if (isStale) names.add('old-path-imported');
  const symbols = symbolFacts(unit, moved);
  for (const name of symbols.evidence) names.add(name);
  if (unit.lines.length === 0) return { names, symbols };
  if (unit.place === 'data') return { names: names.add('data-only'), symbols };
  for (const name of placeEvidence(unit)) names.add(name);
  const depth = depthOf(unit);
  if (depth === 'none' || depth === 'whitespace') names.add('whitespace-only');
  else if (depth === 'comment' && steersTools(unit))
    for (const name of ['directive', 'code-changed'] as const) names.add(name);
  else if (depth === 'comment') names.add('comment-only');
  else names.add('code-changed');
  if (depth === 'string') names.add('string-only');
  if (unit.lines.length > largeUnit) names.add('large');
  if (isRestyled(unit)) {
    for (const name of headEvidence) names.delete(name);
    if (unit.place === 'imports' && !importsForEffect(unit)) names.add('imports-only');
  } else if (depth === 'string' || depth === 'code') {
    for (const name of roleEvidence(unit)) names.add(name);
    const place = { isSecurityPath: names.has('security-path'), isText: depth === 'string' };
    const security = securityEvidence(unit, freshLines(unit), place);
    if (security !== undefined) names.add('security-words');
    if (security === 'done') names.add('security-deeds');
    // What only changed its place fails and guards as before.
    if (hasMoved(unit, moved)) for (const name of bodyEvidence) names.delete(name);
  }
  // Functions about addresses stand in files of that name, too.
  if (names.has('in-function') && /(?:^|\/)urls\.py$/.test(unit.path)) names.delete('routing-path');
  return { names, symbols };
}

const bodyEvidence: readonly EvidenceName[] = [
  'security-words',
  'security-deeds',
  'touches-error-handling',
  'touches-concurrency',
];

function hasMoved({ symbol, oldSymbol }: ReviewUnit, moved: ReadonlySet<CodeSymbol>): boolean {
  const owner = symbol ?? oldSymbol;
  return owner !== undefined && moved.has(owner);
}

function entryEvidence({ file, lines }: ReviewUnit): EvidenceName[] {
  const { entry, header, binary } = file.patch;
  const found: EvidenceName[] = [];
  if (header.change === 'create') found.push('new-file');
  if (header.change === 'delete') found.push('deleted-file');
  if (header.change === 'rename') found.push('renamed-file');
  if (binary) found.push('binary');
  if (entry.status === 'mode-changed') found.push('mode-changed');
  if (lines.length === 0) found.push('no-lines');
  if (header.change === 'rename' && lines.length === 0 && !binary) found.push('moved-only');
  return found;
}

/** The deepest change among the runs of the unit. */
function depthOf(unit: ReviewUnit): ChangeDepth {
  const { before, after } = unit.file;
  if (unit.removed.length > 0 && before === undefined) return 'code';
  if (unit.added.length > 0 && after === undefined) return 'code';
  const runs = new Map<number, { removed: number[]; added: number[] }>();
  for (const { run, kind, number } of unit.lines) {
    const lines = runs.get(run) ?? { removed: [], added: [] };
    lines[kind].push(number);
    runs.set(run, lines);
  }
  let deepest = 0;
  for (const { removed, added } of runs.values()) {
    const depth = changeDepth(side(before, rangesOf(removed)), side(after, rangesOf(added)));
    const moved = depth === 'whitespace' && indentMoved(unit, removed, added);
    deepest = Math.max(deepest, depths.indexOf(moved ? 'code' : depth));
  }
  return depths[deepest]!;
}

const indented = new Set(['python', 'yaml', 'makefile', 'haskell', 'scala', 'notebook']);

/** Where indentation carries meaning, a line that moved sideways says something else. */
function indentMoved({ file }: ReviewUnit, removed: readonly number[], added: readonly number[]): boolean {
  if (!indented.has(languageOf(file))) return false;
  const starts = (from: FileSide | undefined, numbers: readonly number[]) =>
    numbers
      .map((number) => from?.lines[number - 1] ?? '')
      .filter((line) => line.trim() !== '')
      // A notebook quotes its lines, and indents them inside the quotes.
      .map((line) => /^\s*(?:"\s*)?/.exec(line)?.[0])
      .join('|');
  return starts(file.before, removed) !== starts(file.after, added);
}

const absent = { language: 'text', comments: [], strings: [] };

function side(file: FileSide | undefined, ranges: readonly LineRange[]) {
  const startLine = ranges[0]?.startLine ?? 1;
  const endLine = ranges.at(-1)?.endLine ?? 0;
  return { text: file?.text ?? '', outline: file?.outline ?? absent, startLine, endLine };
}

function roleEvidence(unit: ReviewUnit): EvidenceName[] {
  const whole = sidesOf(unit, unit);
  const freshest = freshLines(unit);
  const fresh = sidesOf(unit, freshest);
  const only = (role: EvidenceRole) => whole.length > 0 && whole.every((found) => found.only.includes(role));
  const names = touching
    .filter(([role]) => fresh.some(({ roles }) => roles[role]))
    .map(([, name]) => name)
    .filter((name) => !doubted.has(name) || unit.lines.some(({ text }) => doubted.get(name)?.(unit, text)));
  if (changesFailure(unit, freshest)) names.push('touches-error-handling');
  if (passesOn(unit)) names.push('public-changed');
  else if (only('import') && !importsForEffect(unit)) names.push('imports-only');
  if (only('logging') && !logsByDoing(unit)) names.push('logging-only');
  return names;
}

function sidesOf({ file }: ReviewUnit, ranges: Pick<ReviewUnit, 'added' | 'removed'>): RangeEvidence[] {
  return [
    file.before === undefined ? undefined : rangeEvidence(file.before.outline, ranges.removed),
    file.after === undefined ? undefined : rangeEvidence(file.after.outline, ranges.added),
  ].filter((found): found is RangeEvidence => found !== undefined && found.code + found.comment > 0);
}

const parallel =
  /Promise\.(?!resolve\b|reject\b)|new Promise|set(?:Timeout|Interval|Immediate)|queueMicrotask|Worker|Atomics|[Mm]utex|[Ss]emaphore|(?<![Uu]n)[Ll]ock\b|[Aa]bort|asyncio|thread|Thread|multiprocessing|gather|create_task|[Ee]xecutor|ContextVar|[Cc]ancellation|Task\.(?:Run|When|Factory)|\bspawn\w*|\b(?:select|join)!|RwLock|mpsc|Atomic|Dispatch|Flow\b|[Cc]oroutine|\blaunch\b|withContext|runBlocking|synchronized|TaskGroup|\bactor\b|@MainActor|Interlocked|Parallel\.|async (?:with|for)|for await/;
const stored =
  /\b(?:database|sql|orm|prisma|knex|sequelize|mongoose|redis|repository|repo|dao|collection|cursor|table|model|quer(?:y|ies)|rows?|select|insert|update|upsert|delete|exec|execute|commit|rollback|transaction|tx|find|save|fetch(?:one|all|_one|_all)|scan)\w*/i;
const asynchronous = new Set([
  'javascript',
  'typescript',
  'tsx',
  'vue',
  'svelte',
  'python',
  'notebook',
  'csharp',
  'kotlin',
  'swift',
  'rust',
]);

/**
 * Roles that a name alone gives away too easily: waiting for one promise is how asynchronous code reads, and not every pool or
 * connection leads to stored data.
 */
const doubted: ReadonlyMap<EvidenceName, (unit: ReviewUnit, text: string) => boolean> = new Map([
  [
    'touches-concurrency',
    ({ file }: ReviewUnit, text: string) => parallel.test(text) || !asynchronous.has(languageOf(file)),
  ],
  ['touches-data-access', (_: ReviewUnit, text: string) => stored.test(text)],
]);

/** Comments that compilers, linters, builds and interpreters obey. */
const directive =
  /^#!|@ts-(?:ignore|expect-error|nocheck|check)\b|\b(?:es|ts|js|style|swift)lint[-:](?:disable|enable|ignore|env)|\/\/go:[a-z]+|^\s*\/\/ ?\+build\b|#\s*(?:type:\s*ignore|noqa|pylint:|pragma:|mypy:|fmt:|isort:|ruff:|pyright:|-\*-)|\b(?:NOLINT|nolint|noinspection|rubocop:|sourceMappingURL|frozen_string_literal|webpack[A-Z]\w+:|phpcs:|phpstan-|psalm-)|(?:istanbul|c8|v8) ignore|(?:biome|prettier|deno-lint|vite|oxlint)-ignore|@(?:vite-ignore|jsx\w*|flow|jest-environment|vitest-environment|license-skip|__PURE__|preserve)\b|<reference\s|coding[:=]|\/\/\s*ignore(?:_for_file)?:|--+\s*(?:@diagnostic|luacheck:|stylua:|selene:)|#\s*credo:/;

function steersTools({ lines }: ReviewUnit): boolean {
  return lines.some(({ text, number }) => directive.test(text) && (!text.startsWith('#!') || number === 1));
}

const logs =
  /(?:^|[.:>])(?:console|log|logger|logging|slog|zap|glog|klog|logrus|tracing|winston|pino|fmt|out|err|stdout|stderr)(?:[.:>]+\w+)*$|(?:^|[.:>])(?:e?print(?:ln|f)?|fprintf|puts|debug|info|warn(?:ing)?|error|trace|fatal|dbg|NSLog|os_log|error_log|var_dump|print_r|syslog|echo|log\w*|Write(?:Line)?)!?$/i;
/** Calls that only say what is there. */
const tells =
  /(?:^|[.:>])(?:JSON\.stringify|String|Number|Boolean|str|repr|len|type|int|float|format!?|Sprintf?|Errorf|sprintf|to_?string|toFixed|toISOString|toUpperCase|toLowerCase|trim|join|keys|values|entries|map|filter|slice|inspect|Error|name|message|getMessage|String|Err|Duration|Since|now|Any|Int\w*|Bool|Str|Field|red|green|yellow|blue|bold|dim|gray|grey|cyan|chalk|round|stringify|size|length|count|basename|relative|hex|isoformat|strftime)$/i;

/** Whether a log line does something that would be missed with it. */
function logsByDoing({ lines }: ReviewUnit): boolean {
  return lines.some(({ text }) => {
    const code = text
      .replaceAll(/`[^`]*`/g, (template) => (template.match(/\$\{[^}]*\}/g) ?? []).join(' '))
      .replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, "''");
    if (/\+\+|--(?!\s*$)|[^=!<>]=(?![=>])|\bawait\b.*\(/.test(code.replaceAll(/\w+\s*=\s*(?=[\w'({[])/g, '')))
      return true;
    return [...code.matchAll(/([\w$.:>!]+)\s*\(/g)].some(
      ([, called = '']) => !logs.test(called) && !tells.test(called),
    );
  });
}

/** An import that is exported again is no import for its own sake. */
function passesOn({ file, lines }: ReviewUnit): boolean {
  return lines.some(({ kind, number }) => {
    const side = kind === 'added' ? file.after : file.before;
    const around = side?.outline.imports.find((one) => one.startLine <= number && number <= one.endLine);
    return around !== undefined && /^\s*export\b/.test(side?.lines[around.startLine - 1] ?? '');
  });
}
