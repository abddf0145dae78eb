// Where does a unit stand: in a function, a class, a type, a test, at the head of a module or outside of everything?
import { enclosingSymbol } from '../../code/range-evidence.js';
import { type CodeSymbol, lineKind } from '../../code/syntax/outline-model.js';
import type { ChangedLine } from '../units/changed-lines.js';
import { isCallable } from '../units/line-owner.js';
import type { ReviewUnit } from '../units/unit.js';
import { isModuleHead } from './module-head.js';
import type { EvidenceName } from './rule.js';

export function placeEvidence(unit: ReviewUnit): EvidenceName[] {
  const found: EvidenceName[] = [];
  const owner = unit.symbol ?? unit.oldSymbol;
  const side = unit.symbol === undefined ? unit.file.before : unit.file.after;
  if (side?.outline.parsed !== true) found.push('unparsed');
  if (side !== undefined && noProgram.has(side.outline.language)) found.push('no-program');
  if (owner === undefined) return [...found, ...placeOutside(unit)];
  const parent = owner.parent === undefined ? undefined : side?.outline.symbols[owner.parent];
  const around = owner.kind === 'module' ? unit.chain : unit.chain.slice(0, -1);
  const isBesideTests = side?.outline.language === 'rust' && around.some(holdsTests);
  if (owner.kind === 'test' || isBesideTests) found.push('in-test');
  else if (owner.kind === 'method' && (parent?.kind === 'interface' || parent?.kind === 'type'))
    found.push('in-type');
  else if (isCallable(owner)) found.push('in-function');
  else if (isType(owner)) found.push('in-type');
  else if (owner.kind === 'class') found.push('in-class');
  else found.push(isModuleHead(unit) ? 'module-head' : 'top-level');
  const isRoute = side?.outline.roles.some(
    ({ role, startLine }) =>
      role === 'routing' && startLine >= owner.startLine && startLine <= owner.signatureEndLine,
  );
  if (isRoute && isCallable(owner) && owner.kind !== 'test') found.push('in-endpoint');
  return found;
}

/** Of what no symbol owns. */
function placeOutside(unit: ReviewUnit): EvidenceName[] {
  if (isModuleHead(unit)) return ['module-head'];
  const short = new Set(unit.lines.map((line) => oneLineSymbol(unit, line)));
  if (!short.has('other')) return short.has('class') ? ['in-class'] : ['in-type'];
  if (isLostIndented(unit)) return ['unplaced'];
  return isInCallback(unit) ? ['top-level', 'in-callback'] : ['top-level'];
}

/** Where a tree is damaged, what stands indented and in nothing stands in something that could not be read. */
function isLostIndented({ file, lines }: ReviewUnit): boolean {
  return lines.every(({ kind, text }) => {
    const outline = (kind === 'added' ? file.after : file.before)?.outline;
    return outline?.damaged === true && (text.trim() === '' || indentOf(text) > 0);
  });
}

/** Declarations of one line belong to no unit of their own. */
function oneLineSymbol(
  { file }: ReviewUnit,
  { kind, number, text }: ChangedLine,
): 'type' | 'class' | 'other' | 'none' {
  const outline = (kind === 'added' ? file.after : file.before)?.outline;
  if (outline === undefined) return 'other';
  if (outline.lineKinds[number - 1] !== lineKind.code) return 'none';
  if (/^\s*typedef\b.*;\s*$/.test(text)) return 'type';
  const symbol = enclosingSymbol(outline, number, number);
  if (symbol?.kind === 'class') return 'class';
  return symbol !== undefined && isType(symbol) ? 'type' : 'other';
}

function isType({ kind }: CodeSymbol): boolean {
  return kind === 'interface' || kind === 'type' || kind === 'enum';
}

const opensFunction = /(?:\bfunction\b[^{]*\)|=>)\s*\{\s*$/;
const scripts = new Set(['javascript', 'typescript', 'tsx']);

/** By indentation: every changed line lies below the head of a nameless function that a call is given. */
function isInCallback({ file, lines }: ReviewUnit): boolean {
  return lines.every(({ kind, number, text }) => {
    const side = kind === 'added' ? file.after : file.before;
    if (side === undefined || !scripts.has(side.outline.language)) return false;
    let indent = indentOf(text);
    if (text.trim() === '') return true;
    for (let at = number - 2; at >= 0 && indent > 0; at -= 1) {
      const above = side.lines[at] ?? '';
      if (above.trim() === '' || indentOf(above) >= indent) continue;
      if (opensFunction.test(above)) return true;
      indent = indentOf(above);
    }
    return false;
  });
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}

/** Languages that say what something looks like or holds, not what it does; text is also what nobody knows. */
const noProgram = new Set(['html', 'xml', 'css', 'text', 'json', 'yaml', 'toml', 'ini', 'markdown']);

/** What stands in a module of tests helps them. */
function holdsTests(name: string): boolean {
  return name === 'tests' || name === 'test';
}
