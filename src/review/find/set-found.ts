// What was found as text within a budget: the list of files with their reasons, then their telling lines.
import { cleanText, hitsOf } from '../../cleaning/clean-text.js';
import type { LineRange } from '../../code/range-evidence.js';
import { typeset } from '../../core/assemble.js';
import type { Fragment, Scope } from '../../core/model/fragment.js';
import { partText } from '../../core/model/prompt.js';
import type { Receipt } from '../../core/model/receipt.js';
import type { Dialect, Recipe } from '../../core/model/recipe.js';
import { hashText } from '../../meters/content-hash.js';
import { loadMeter } from '../../meters/load-meter.js';
import { codeFence } from '../context/arrange-pieces.js';
import type { FileSide } from '../units/changed-file.js';
import type { TaskFile } from './rank-task-files.js';
import { type TellingPiece, worthFor } from './telling-pieces.js';

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
  | {
      readonly kind: 'lines';
      /** Behind the best lines of a file only its name is said. */
      readonly path: string;
      readonly range: LineRange;
      readonly text: string;
    };

const scope: Scope = { project: 'code-find' };

/** In a small budget a few names and the lines that say most are worth more than many names; behind those, both compete. */
const recipe: Recipe = {
  id: 'code-find',
  version: 3,
  overflow: 'concede',
  layers: [
    { id: 'first-files', keep: 'highest-rank', yieldOrder: 3 },
    { id: 'first-lines', keep: 'highest-rank', yieldOrder: 2 },
    { id: 'rest', keep: 'highest-rank', yieldOrder: 1, refill: true },
  ],
  sections: [
    { id: 'files', channel: 'prompt' },
    { id: 'lines', channel: 'prompt' },
  ],
};

const dialect: Dialect<FoundBody> = {
  id: 'code-find',
  version: 2,
  apart: '\n\n',
  section: (id) =>
    id === 'files'
      ? { heading: 'Files, most likely first:\n', between: '\n' }
      : { heading: '', between: '\n\n' },
  word: (body) => {
    if (body.kind === 'file') return `- ${body.file.path} (${body.file.why})`;
    const { startLine, endLine } = body.range;
    const lines = startLine === endLine ? startLine : `${startLine}-${endLine}`;
    return `${body.path}:${lines}\n${codeFence('', body.text).trimEnd()}`;
  },
  finish: (words) => {
    const clean = cleanText(words);
    return { text: clean.text, hits: hitsOf(clean) };
  },
};

const firstFiles = 5;
/** What the name of one more file is worth, as a chance that a reader needs it. */
const nameChance = 0.02;
const nameCharacters = 80;
/** A text has more characters than tokens: what lies beyond cannot have room. */
const mostCharactersPerToken = 8;

interface FoundParts {
  /** The best first. */
  readonly pieces: readonly TellingPiece[];
  readonly opened: ReadonlyMap<string, FileSide>;
  readonly budget: number;
  /** What counts it. */
  readonly meter: string;
}

export async function setFound(
  files: readonly TaskFile[],
  { pieces, opened, budget, meter: meterId }: FoundParts,
): Promise<FoundText> {
  const fragments: Fragment<FoundBody>[] = files.map((file, at) => ({
    id: `file:${file.path}`,
    source: 'rank',
    scope,
    layer: at < firstFiles ? 'first-files' : 'rest',
    section: 'files',
    // By a hair: of two files the likelier one stands.
    rank: at < firstFiles ? -at : worthFor(nameChance, nameCharacters) * (1 - at / 1_000),
    position: at,
    levels: [{ name: 'whole', body: { kind: 'file', file } }],
  }));
  const placeOf = new Map(files.map(({ path }, at) => [path, at]));
  const offered = new Map<string, TellingPiece>();
  const heads = new Map<string, string>();
  let room = budget * mostCharactersPerToken;
  for (const [nth, piece] of pieces.entries()) {
    if (room <= 0) break;
    room -= piece.characters;
    const { path, range } = piece;
    const at = placeOf.get(path)!;
    const side = opened.get(path)!;
    const id = `lines:${path}:${range.startLine}`;
    const head = heads.get(path);
    if (head === undefined) heads.set(path, id);
    offered.set(id, piece);
    const named = head === undefined ? path : path.slice(path.lastIndexOf('/') + 1);
    fragments.push({
      id,
      source: 'rank',
      scope,
      layer: piece.isNamed || nth === 0 ? 'first-lines' : 'rest',
      section: 'lines',
      rank: piece.worth,
      position: at * 1_000_000 + (head === undefined ? 0 : range.startLine),
      levels: [{ name: 'whole', body: { kind: 'lines', path: named, range, text: linesOf(side, range) } }],
      ref: { path, lines: { start: range.startLine, end: range.endLine } },
      ...(head === undefined ? {} : { continues: head }),
    });
  }
  const meter = await loadMeter(meterId);
  const { prompt, receipt } = typeset(
    { recipe, dialect, meter, hash: hashText },
    { scope, budget: { limit: { unit: 'tokens', n: budget } }, ledger: 'kept' },
    fragments,
  );
  const page = prompt.pages[0];
  const spans = receipt.pages[0]?.parts.flatMap((part) => part.spans) ?? [];
  const snippets = spans.flatMap(({ fragment }) => {
    const piece = offered.get(fragment);
    if (piece === undefined) return [];
    return [snippetOf(opened.get(piece.path)!, piece, files[placeOf.get(piece.path)!]!)];
  });
  return { text: partText(page, 'prompt'), snippets, receipt };
}

function snippetOf(
  side: FileSide,
  { range, isNamed, isDefined }: TellingPiece,
  { line, why }: TaskFile,
): FoundSnippet {
  const { text } = cleanText(linesOf(side, range));
  const { path, blob } = side;
  const ofRange = isNamed ? `the task names line ${line}` : isDefined ? 'defines a name of the task' : why;
  return { path, side: 'new', ...range, blob, text, why: ofRange };
}

function linesOf({ lines }: FileSide, { startLine, endLine }: LineRange): string {
  return lines.slice(startLine - 1, endLine).join('\n');
}
