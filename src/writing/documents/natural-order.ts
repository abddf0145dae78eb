// The order in which a person would put chapter names: numbers by value, openings first, endings last, else by code point.
import { byCodePoint } from '../../core/model/code-points.js';
import { chapterNumber } from './chapter-number.js';

const openings = /^(序|楔子|引子|前言|自序|prologue|preface|introduction|foreword)/;
const endings = /^(尾声|后记|跋|番外|附录|终章|epilogue|afterword|appendix)/;

export function byNaturalOrder(left: string, right: string): number {
  const rank = rankOf(left) - rankOf(right);
  if (rank !== 0) return rank;
  const a = chapterNumber(left);
  const b = chapterNumber(right);
  if (a !== undefined && b !== undefined && a !== b) return a - b;
  return byNumberedParts(left, right) || byCodePoint(left, right);
}

function rankOf(name: string): number {
  const folded = name.normalize('NFKC').toLowerCase().trim();
  if (chapterNumber(folded) !== undefined) return 1;
  if (openings.test(folded)) return 0;
  return endings.test(folded) ? 3 : 2;
}

function byNumberedParts(left: string, right: string): number {
  const a = left.match(/\d+|\D+/g) ?? [];
  const b = right.match(/\d+|\D+/g) ?? [];
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const [x, y] = [a[index]!, b[index]!];
    if (x === y) continue;
    const both = /^\d/.test(x) && /^\d/.test(y);
    const order = both ? Number(x) - Number(y) : byCodePoint(x, y);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
