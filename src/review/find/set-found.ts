// What was found as text within a budget: the list of files with their reasons, then their telling lines, numbered.
import { cleanText, hitsOf } from '../../cleaning/clean-text.js';
import type { LineRange } from '../../code/range-evidence.js';
import { typeset } from '../../core/assemble.js';
import type { Fragment, Scope } from '../../core/model/fragment.js';
import { partText } from '../../core/model/prompt.js';
import type { Receipt } from '../../core/model/receipt.js';
import type { Dialect, Recipe } from '../../core/model/recipe.js';
import { hashText } from '../../meters/content-hash.js';
import { loadMeter } from '../../meters/load-meter.js';
import { type OutlineSymbol, segmentFile } from '../related/segment-file.js';
import type { FileSide } from '../units/changed-file.js';
import type { TaskFile } from './rank-task-files.js';
import { termsIn, wordsIn } from './task-words.js';

export interface FoundSnippet extends LineRange {
  readonly path: string;
  readonly side: 'new';
  readonly blob: string;
  /** Its lines as they stand there, secrets taken out. */
  readonly text: string;
  readonly why: string;
}

export interface FoundText {
  /** What stands in the text, in its order. */
  readonly snippets: readonly FoundSnippet[];
  readonly text: string;
  readonly receipt: Receipt;
}

type FoundBody =
  | { readonly kind: 'file'; readonly file: TaskFile }
  | { readonly kind: 'lines'; readonly path: string; readonly range: LineRange; readonly text: string };

const scope: Scope = { project: 'code-find' };

/** In a small budget a few names and the lines that say most are worth more than many names. */
const recipe: Recipe = {
  id: 'code-find',
  version: 2,
  overflow: 'concede',
  layers: [
    { id: 'first-files', keep: 'highest-rank', yieldOrder: 4 },
    { id: 'first-lines', keep: 'highest-rank', yieldOrder: 3 },
    { id: 'files', keep: 'highest-rank', yieldOrder: 2, refill: true },
    { id: 'lines', keep: 'highest-rank', yieldOrder: 1, refill: true },
  ],
  sections: [
    { id: 'files', channel: 'prompt' },
    { id: 'lines', channel: 'prompt' },
  ],
};

const dialect: Dialect<FoundBody> = {
  id: 'code-find',
  version: 1,
  apart: '\n\n',
  section: (id) =>
    id === 'files'
      ? { heading: 'Files, most likely first:\n', between: '\n' }
      : { heading: '', between: '\n\n' },
  word: (body) => {
    if (body.kind === 'file') return `- ${body.file.path} (${body.file.why})`;
    const { path, range, text } = body;
    return `${path}:${range.startLine}-${range.endLine}\n${text}`;
  },
  finish: (words) => {
    const clean = cleanText(words);
    return { text: clean.text, hits: hitsOf(clean) };
  },
};

interface LookedFor {
  /** Terms to look for in the files, and how much each says. */
  readonly voices: ReadonlyMap<string, number>;
  /** Names of the task; a line that has one of them tells more than any that has parts of it. */
  readonly identifiers: ReadonlySet<string>;
}

interface FoundParts extends LookedFor {
  readonly opened: ReadonlyMap<string, FileSide>;
  readonly budget: number;
  /** What counts it. */
  readonly meter: string;
}

export async function setFound(
  files: readonly TaskFile[],
  { opened, budget, meter: meterId, ...asked }: FoundParts,
): Promise<FoundText> {
  const fragments: Fragment<FoundBody>[] = files.map((file, at) => ({
    id: `file:${file.path}`,
    source: 'rank',
    scope,
    layer: at < firstFiles ? 'first-files' : 'files',
    section: 'files',
    rank: -at,
    position: at,
    levels: [{ name: 'whole', body: { kind: 'file', file } }],
  }));
  const ranges = new Map<string, FoundSnippet>();
  files.forEach((file, at) => {
    const side = opened.get(file.path);
    if (side === undefined) return;
    tellingRanges(side, asked, file.line).forEach((telling, nth) => {
      const { range, isNamed } = telling;
      const id = `lines:${file.path}:${range.startLine}`;
      ranges.set(id, snippetOf(side, telling, file));
      fragments.push({
        id,
        source: 'rank',
        scope,
        layer: isNamed || (at === 0 && nth === 0) ? 'first-lines' : 'lines',
        section: 'lines',
        rank: worthOf(telling, at),
        position: at * 1_000_000 + range.startLine,
        levels: [
          { name: 'whole', body: { kind: 'lines', path: file.path, range, text: numbered(side, range) } },
        ],
        ref: { path: file.path, lines: { start: range.startLine, end: range.endLine } },
      });
    });
  });
  const meter = await loadMeter(meterId);
  const { prompt, receipt } = typeset(
    { recipe, dialect, meter, hash: hashText },
    { scope, budget: { limit: { unit: 'tokens', n: budget } }, ledger: 'kept' },
    fragments,
  );
  const page = prompt.pages[0];
  const spans = receipt.pages[0]?.parts.flatMap((part) => part.spans) ?? [];
  const snippets = spans.flatMap(({ fragment }) => ranges.get(fragment) ?? []);
  return { text: partText(page, 'prompt'), snippets, receipt };
}

const firstFiles = 5;
const longestRange = 30;
const maxRanges = 8;
/** Below this part of the best range of its file nothing more is shown. */
const leastWorth = 0.4;
/** More than lines can have that only share words with the task. */
const usedWorth = 1;
/** More than lines can have that only use what the task names. */
const definedWorth = 3;
/** More than any lines can have that are only spoken of. */
const namedWorth = 10;

interface TellingRange {
  readonly range: LineRange;
  readonly worth: number;
  /** The task names a line of it. */
  readonly isNamed: boolean;
  readonly isDefined: boolean;
}

/** The parts of a file that speak of the task, the best first; a line the task names comes before all, then what defines its names. */
function tellingRanges(
  { lines, outline }: FileSide,
  { voices, identifiers }: LookedFor,
  line: number | undefined,
): TellingRange[] {
  const definitions = outline.symbols
    .filter(({ name }) => identifiers.has(name))
    .map((symbol) => lineOfName(lines, symbol));
  const all = [...voices.values()].reduce((sum, voice) => sum + voice, 0) || 1;
  const ranges = segmentFile(lines, outline.symbols, longestRange).map((range) => {
    const { startLine, endLine } = withoutBlanks(lines, range);
    const holds = (at: number) => startLine <= at && endLine >= at;
    const text = lines.slice(startLine - 1, endLine).join('\n');
    let share = 0;
    for (const term of new Set(termsIn(text))) share += (voices.get(term) ?? 0) / all;
    const isNamed = line !== undefined && holds(line);
    const isUsed = wordsIn(text).some((word) => identifiers.has(word));
    const worth = isNamed ? namedWorth : share + (isUsed ? usedWorth : 0);
    const isDefined = definitions.some(holds);
    return { range: { startLine, endLine }, share, worth, isNamed, isDefined };
  });
  const best = ranges.reduce((most, { share }) => Math.max(most, share), 0);
  return ranges
    .filter(({ share, worth }) => worth > share || (share > 0 && share >= leastWorth * best))
    .sort((a, b) => worthOf(b) - worthOf(a) || a.range.startLine - b.range.startLine)
    .slice(0, maxRanges);
}

/** The files behind the first few give their best lines only, but a definition that was asked for wherever it stands. */
function worthOf({ worth, isDefined }: TellingRange, at = 0): number {
  return (isDefined ? definedWorth : 0) + worth / Math.sqrt(1 + at);
}

function snippetOf(
  { path, blob, lines }: FileSide,
  { range, isNamed, isDefined }: TellingRange,
  { line, why }: TaskFile,
): FoundSnippet {
  const { text } = cleanText(lines.slice(range.startLine - 1, range.endLine).join('\n'));
  const ofRange = isNamed ? `the task names line ${line}` : isDefined ? 'defines a name of the task' : why;
  return { path, side: 'new', ...range, blob, text, why: ofRange };
}

/** Decorators and comments may stand above the name. */
function lineOfName(lines: readonly string[], { name, startLine, endLine }: OutlineSymbol): number {
  const at = lines.slice(startLine - 1, endLine).findIndex((text) => wordsIn(text).includes(name));
  return startLine + Math.max(0, at);
}

function withoutBlanks(lines: readonly string[], { startLine, endLine }: LineRange): LineRange {
  let first = startLine;
  let last = endLine;
  while (first < last && (lines[first - 1] ?? '').trim() === '') first += 1;
  while (last > first && (lines[last - 1] ?? '').trim() === '') last -= 1;
  return { startLine: first, endLine: last };
}

function numbered({ lines }: FileSide, { startLine, endLine }: LineRange): string {
  return lines
    .slice(startLine - 1, endLine)
    .map((text, at) => `${startLine + at}| ${text}`)
    .join('\n');
}
