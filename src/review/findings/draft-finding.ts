// Makes a finding of one answered object. Everything that was bent to fit is told to `note`; the answer says why when nothing fits.

import type { LineRange } from '../../code/range-evidence.js';
import { isProjectRelative } from '../../core/model/fragment.js';
import {
  categoryOf,
  confidenceOf,
  type Fields,
  fieldLines,
  fieldText,
  severityOf,
  sideOf,
} from './draft-fields.js';
import { answeredFindingSchema, type FindingDraft, findingLimits, type Suggestion } from './finding.js';

type DraftOutcome =
  | { readonly kind: 'draft'; readonly draft: FindingDraft }
  | { readonly kind: 'dropped'; readonly reason: 'no path' | 'no message' | 'path outside the project' };

export const pathNames = [
  'path',
  'file',
  'filename',
  'filePath',
  'file_path',
  'relevant_file',
  'relevantFile',
] as const;
const titleNames = ['title', 'summary', 'headline', 'issue_header', 'one_sentence_summary'];
export const messageNames = [
  ...[
    'message',
    'description',
    'body',
    'comment',
    'details',
    'explanation',
    'text',
    'issue_content',
    'suggestion_content',
  ],
] as const;
const evidenceNames = [
  'evidence',
  'quote',
  'existing_code',
  'existingCode',
  'code_snippet',
  'snippet',
  'quoted_code',
  'code',
];

export function draftFinding(
  fields: Fields,
  inheritedPath: string | undefined,
  note: (repair: string) => void,
): DraftOutcome {
  if (!answeredFindingSchema.safeParse(fields).success) note('fields in another form');
  const path = (fieldText(fields, pathNames) ?? inheritedPath)?.trim().replace(/^(?:\.?\/)+/, '');
  if (path === undefined || path === '') return { kind: 'dropped', reason: 'no path' };
  if (!isProjectRelative(path) || path.length > findingLimits.path || !isClean(path))
    return { kind: 'dropped', reason: 'path outside the project' };

  const said = fieldText(fields, messageNames);
  const headline = fieldText(fields, titleNames);
  const main = said ?? headline;
  if (main === undefined) return { kind: 'dropped', reason: 'no message' };

  const lines = fieldLines(fields) ?? { startLine: 0, endLine: 0 };
  if (lines.startLine === 0) note('no line');
  const severity = severityOf(fields.severity ?? fields.priority ?? fields.level);
  if (severity === undefined) note('severity assumed');
  const confidence = confidenceOf(fields.confidence ?? fields.score);
  if (confidence === undefined) note('confidence assumed');
  const { suggestion, advice } = draftSuggestion(fields, lines, note);
  const shorten = (text: string, limit: number) => {
    const tidy = tidied(text);
    if (tidy.length <= limit) return tidy;
    note('text shortened');
    return `${tidy
      .slice(0, limit - 1)
      .toWellFormed()
      .replace(/\ufffd$/, '')}…`;
  };
  const draft: FindingDraft = {
    path,
    side: sideOf(fields.side) ?? 'new',
    ...lines,
    severity: severity ?? 'medium',
    category:
      categoryOf(fields.category ?? fields.type ?? fields.rule ?? fields.kind ?? fields.label) ?? 'general',
    confidence: confidence ?? 0.5,
    title: shorten(headline?.trim() ?? firstSentence(main), findingLimits.title),
    message: shorten(
      advice === undefined ? main.trim() : `${main.trim()}\n\n${advice}`,
      findingLimits.message,
    ),
    evidence: shorten(unfenced(fieldText(fields, evidenceNames) ?? '').text, findingLimits.evidence),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
  return draft.title.trim() === '' || draft.message.trim() === ''
    ? { kind: 'dropped', reason: 'no message' }
    : { kind: 'draft', draft };
}

function isClean(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function tidied(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}

function firstSentence(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  const end = /[.!?](?=\s)|[。！？]/.exec(line);
  const sentence = end === null ? line : line.slice(0, end.index);
  return sentence.length <= 120 ? sentence : `${sentence.slice(0, 119).toWellFormed()}…`;
}

const codeNames = ['replacement', 'suggested_code', 'suggestedCode', 'improved_code', 'improvedCode'];
const innerNames = [...codeNames, 'code', 'newText', 'new_text', 'text', 'content'];

interface DraftedSuggestion {
  readonly suggestion?: Suggestion;
  readonly advice?: string;
}

/** Code that could be committed; advice in words joins the message instead. */
function draftSuggestion(
  fields: Fields,
  lines: LineRange,
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
  return typeof code === 'string' ? committable(code, fieldLines(inner) ?? lines, note) : {};
}

function committable(code: string, lines: LineRange, note: (repair: string) => void): DraftedSuggestion {
  const replacement = unfenced(code).text.replace(/\r?\n$/, '');
  const usable =
    lines.startLine > 0 &&
    replacement.length <= findingLimits.replacement &&
    replacement.isWellFormed() &&
    !replacement.includes('\0');
  if (!usable) note('suggestion not usable');
  return usable ? { suggestion: { replacement, ...lines } } : {};
}

const fence = /^\s*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n?[ \t]*\1[`~]*\s*$/;

/** Code that came in a Markdown fence, without the fence. */
function unfenced(text: string): { readonly text: string; readonly fenced: boolean } {
  const inside = fence.exec(text)?.[2];
  return inside === undefined ? { text, fenced: false } : { text: inside, fenced: true };
}
