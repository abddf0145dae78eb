// Turns what a model answered into findings. Never throws and never takes longer than a few passes over the text;
// every repair and every object that was given up is a warning.
import type { Warning } from '../../core/model/error.js';
import { readLooseJson } from '../../models/answer/loose-json.js';
import { type AnswerExtras, answerExtras } from './answer-extras.js';
import { type Fields, fieldText } from './draft-fields.js';
import { draftFinding, messageNames, pathNames } from './draft-finding.js';
import type { ReviewFinding } from './finding.js';
import { findingId } from './finding-identity.js';

export interface ReadAnswer extends AnswerExtras {
  readonly findings: readonly ReviewFinding[];
  /** False when there was no answer in the text: that page was not reviewed. */
  readonly readable: boolean;
  /** False when it ended in the middle: findings may be missing. */
  readonly whole: boolean;
  readonly warnings: readonly Warning[];
}

const answerLimits = { characters: 16 * 1024 * 1024, findings: 1000 } as const;
const listNames = [
  'findings',
  'issues',
  'comments',
  'results',
  'reviews',
  'problems',
  'code_suggestions',
  'files',
  'data',
  'answer',
];
const deepest = 6;
const unreadable = 'no findings in the answer could be read';

type Note = (what: string, times?: number) => void;

export function readFindingsAnswer(answer: string): ReadAnswer {
  const notes = new Map<string, number>();
  const note = (what: string, times = 1) => notes.set(what, (notes.get(what) ?? 0) + times);
  if (answer.length > answerLimits.characters) note('answer shortened');
  const { values, cut } = valuesOf(answer.slice(0, answerLimits.characters), note);

  const findings: ReviewFinding[] = [];
  let readable = false;
  const take = (fields: Fields, path: string | undefined) => {
    if (cut.has(fields)) return note('dropped: cut off');
    if (findings.length >= answerLimits.findings) return note('dropped: too many findings');
    const outcome = draftFinding(fields, path, note);
    if (outcome.kind === 'dropped') return note(`dropped: ${outcome.reason}`);
    findings.push({ id: findingId(outcome.draft), ...outcome.draft });
  };
  const visit = (value: unknown, depth: number, path: string | undefined): void => {
    if (depth > deepest || typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (const member of value) visit(member, depth + 1, path);
      return;
    }
    const fields = value as Fields;
    const lists = listNames.filter((name) => typeof fields[name] === 'object' && fields[name] !== null);
    const own = fieldText(fields, pathNames) ?? path;
    if (lists.length > 0) readable = true;
    for (const name of lists) visit(fields[name], depth + 1, own);
    if (lists.length > 0 || (fieldText(fields, pathNames) ?? fieldText(fields, messageNames)) === undefined)
      return;
    readable = true;
    take(fields, path);
  };
  for (const value of values) {
    if (Array.isArray(value) && value.length === 0) readable = true;
    visit(value, 0, undefined);
  }
  if (!readable) note(unreadable);
  const whole = !notes.has('cut off') && !notes.has('dropped: cut off') && !notes.has('answer shortened');
  const warnings = [...notes].map(([what, count]) => warningOf(what, count));
  return { findings, readable, whole, warnings, ...answerExtras(values) };
}

function valuesOf(answer: string, note: Note): { values: readonly unknown[]; cut: ReadonlySet<unknown> } {
  const thought = /^\s*<(think|thinking)>[\s\S]*?<\/\1>/.exec(answer)?.[0] ?? '';
  if (thought !== '') note('reasoning skipped');
  const text = answer.slice(thought.length).replace(/^\ufeff/, '');
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'string') return { values: [value], cut: new Set() };
    note('JSON inside a string');
    return looseValues(value, note);
  } catch {
    return looseValues(text, note);
  }
}

function looseValues(text: string, note: Note) {
  const { values, cut, repairs } = readLooseJson(text);
  for (const [repair, count] of repairs) note(repair, count);
  // `string[]` in a sentence is no answer; an empty list on a line of its own is.
  const alone = /^[ \t]*\[\s*\][ \t]*$/m.test(text);
  return { values: values.filter((value) => alone || !(Array.isArray(value) && value.length === 0)), cut };
}

function warningOf(what: string, count: number): Warning {
  const code =
    what === unreadable
      ? 'ANSWER_UNREADABLE'
      : what.startsWith('dropped')
        ? 'FINDING_DROPPED'
        : 'ANSWER_REPAIRED';
  return { code, message: count === 1 ? what : `${what} (${count} times)`, details: { what, count } };
}
