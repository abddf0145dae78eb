// Is what the model calls a suggestion code that could be committed? Advice in words is not, and joins the message instead.
import { type Fields, type Lines, linesOf } from './draft-fields.js';
import { findingLimits, type Suggestion } from './finding.js';
import { unfenced } from './unfenced.js';

const codeNames = ['replacement', 'suggested_code', 'suggestedCode', 'improved_code', 'improvedCode'];
const innerNames = [...codeNames, 'code', 'newText', 'new_text', 'text', 'content'];

export interface DraftedSuggestion {
  readonly suggestion?: Suggestion;
  readonly advice?: string;
}

export function draftSuggestion(
  fields: Fields,
  lines: Lines,
  note: (repair: string) => void,
): DraftedSuggestion {
  const plain = codeNames.map((name) => fields[name]).find((value) => typeof value === 'string');
  if (typeof plain === 'string') return committable(plain, lines, note);
  const offered = fields.suggestion ?? fields.fix ?? fields.suggested_fix;
  if (typeof offered === 'string' && offered.trim() !== '') {
    if (unfenced(offered).fenced) return committable(offered, lines, note);
    note('suggestion in words');
    return { advice: offered.trim() };
  }
  if (typeof offered !== 'object' || offered === null || Array.isArray(offered)) return {};
  const inner = offered as Fields;
  const code = innerNames.map((name) => inner[name]).find((value) => typeof value === 'string');
  return typeof code === 'string' ? committable(code, linesOf(inner) ?? lines, note) : {};
}

function committable(code: string, lines: Lines, note: (repair: string) => void): DraftedSuggestion {
  const replacement = unfenced(code).text.replace(/\r?\n$/, '');
  const usable =
    lines.startLine > 0 &&
    replacement.length <= findingLimits.replacement &&
    replacement.isWellFormed() &&
    !replacement.includes('\0');
  if (!usable) note('suggestion not usable');
  return usable ? { suggestion: { replacement, ...lines } } : {};
}
