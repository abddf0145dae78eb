// Data inside code tells a reviewer little and weighs much: pictures drawn in paths, encoded bytes, tables, snapshots. A long literal
// shows its beginning and its end, a long run of such lines its first and last ones; what is not shown is counted where it stood.
import { type FilePatch, type Hunk, hunkBody, hunkLines, type PatchLine } from '../../git/patch/patch.js';
import { pathClass } from './line-importance.js';

interface AbridgedPatch {
  readonly patch: FilePatch;
  /** Changed or unchanged lines that show a part of themselves. */
  readonly shortened: number;
}

export function abridgeData(patch: FilePatch): AbridgedPatch {
  if (patch.binary || patch.entry.kind !== 'file') return { patch, shortened: 0 };
  let shortened = 0;
  const gapsOf = dataFile(patch.entry.path) ? middleOf : gapsIn;
  const hunks = patch.hunks.flatMap((hunk) => {
    if (hunk.body.length < shortestLiteral) return [hunk];
    const lines = hunkLines(hunk);
    const short = lines.map((line) => {
      if (line.bytes.length < shortestLiteral) return line;
      const text = line.bytes.toString('utf8');
      const shown = shortenData(text);
      if (shown === text) return line;
      shortened += 1;
      return { ...line, bytes: Buffer.from(shown) };
    });
    const gaps = gapsOf(lines);
    if (gaps.length === 0 && short.every((line, at) => line === lines[at])) return [hunk];
    return withGaps(hunk, short, gaps);
  });
  if (shortened === 0 && hunks.length === patch.hunks.length && hunks.every(({ gap }) => gap === undefined))
    return { patch, shortened };
  const sum = (pick: 'added' | 'removed') => hunks.reduce((total, hunk) => total + hunk[pick], 0);
  return { patch: { ...patch, hunks, added: sum('added'), removed: sum('removed') }, shortened };
}

/** Changed lines that a patch counts and does not show. */
export function abridgedLines(hunks: readonly Hunk[]): { readonly added: number; readonly removed: number } {
  const sum = (pick: 'added' | 'removed') => hunks.reduce((total, { gap }) => total + (gap?.[pick] ?? 0), 0);
  return { added: sum('added'), removed: sum('removed') };
}

const shortestLiteral = 160;
const [shownStart, shownEnd] = [48, 16];
const literal =
  /"(?:[^"\\\n]|\\.){160,}"|'(?:[^'\\\n]|\\.){160,}'|`(?:[^`\\\n]|\\.){160,}`|[A-Za-z0-9+/_-]{160,}={0,2}/g;
/** Words between spaces: a sentence has many of them, a drawing none. */
const word = /(?<=\s)\p{L}{3,}(?=[\s,.;:!?])/gu;

/** Long literals that are no prose and no markup, each by its two ends and a count. */
export function shortenData(text: string): string {
  if (text.length < shortestLiteral) return text;
  return text.replaceAll(literal, (whole) => {
    const words = whole.match(word)?.length ?? 0;
    if (words * 40 > whole.length) return whole;
    const left = whole.slice(0, shownStart).toWellFormed();
    const right = whole.slice(-shownEnd).toWellFormed();
    return `${left}[... ${whole.length - shownStart - shownEnd} characters of data not shown ...]${right}`;
  });
}

const dataNames = /\.(?:snap|svg|csv|tsv|jsonl|ndjson|geojson|topojson|har)$|(?:^|\/)__snapshots__\/|\.json$/;

function dataFile(path: string): boolean {
  return dataNames.test(path) && pathClass(path) !== 'config';
}

/** One literal, name or mark; a line is read from mark to mark, so that none can make the reading long. */
const dataMark =
  /\s+|[,;:\])}[({]+|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[-+]?(?:0x[\da-fA-F]+|\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?)[a-zA-Z]{0,3}(?![\w$])|(?:true|false|null|nil|None)(?![\w$])|[\w$.-]+\s*[:=]/y;

/** Nothing but literals, with or without the names they go by. */
function isDataLine(text: string): boolean {
  if (text.trim() === '' || text.length >= 4000) return false;
  dataMark.lastIndex = 0;
  while (dataMark.lastIndex < text.length) if (!dataMark.test(text)) return false;
  return true;
}

/** So many lines of one run stay; a run that is hardly longer stays whole. */
const [firstLines, lastLines, shortestGap] = [12, 4, 24];
const [firstRows, lastRows] = [40, 8];

interface Gap {
  readonly from: number;
  readonly to: number;
}

/** Runs of lines that were all added or all removed, and are all data. */
function gapsIn(lines: readonly PatchLine[]): Gap[] {
  const gaps: Gap[] = [];
  for (let at = 0; at < lines.length; ) {
    const kind = lines[at]?.kind;
    let end = at;
    while (end < lines.length && lines[end]?.kind === kind && isDataLine(lines[end]!.bytes.toString('utf8')))
      end += 1;
    if (kind !== 'context' && end - at >= firstLines + lastLines + shortestGap)
      gaps.push({ from: at + firstLines, to: end - lastLines });
    at = Math.max(end, at + 1);
  }
  return gaps;
}

/** Of a file that is nothing but data: what lies between its first changes and its last, changed or not. */
function middleOf(lines: readonly PatchLine[]): Gap[] {
  const gap = { from: firstRows, to: lines.length - lastRows };
  const changed = lines.slice(gap.from, Math.max(gap.from, gap.to)).filter(({ kind }) => kind !== 'context');
  return changed.length < shortestGap ? [] : [gap];
}

/** One hunk for each stretch between two gaps; the gap is told behind the stretch it follows. */
function withGaps(hunk: Hunk, lines: readonly PatchLine[], gaps: readonly Gap[]): Hunk[] {
  let oldLine = hunk.oldCount === 0 ? hunk.oldStart + 1 : hunk.oldStart;
  let newLine = hunk.newCount === 0 ? hunk.newStart + 1 : hunk.newStart;
  const hunks: Hunk[] = [];
  let from = 0;
  for (const gap of [...gaps, { from: lines.length, to: lines.length }]) {
    const own = lines.slice(from, gap.from);
    const added = own.filter(({ kind }) => kind === 'added').length;
    const removed = own.filter(({ kind }) => kind === 'removed').length;
    const [oldCount, newCount] = [own.length - added, own.length - removed];
    const hidden = lines.slice(gap.from, gap.to);
    const count = (of: PatchLine['kind']) => hidden.filter(({ kind }) => kind === of).length;
    const unseen = { added: count('added'), removed: count('removed') };
    hunks.push({
      ...{ oldStart: oldCount === 0 ? oldLine - 1 : oldLine, oldCount },
      ...{ newStart: newCount === 0 ? newLine - 1 : newLine, newCount },
      ...{ heading: hunk.heading, body: hunkBody(own), added, removed },
      ...(hidden.length === 0 ? {} : { gap: unseen }),
    });
    oldLine += oldCount + hidden.length - unseen.added;
    newLine += newCount + hidden.length - unseen.removed;
    from = gap.to;
  }
  return hunks;
}
