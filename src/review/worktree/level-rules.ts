// How much is shown around a file, made the rule: an entry of its own in the list `rules` of a configuration file, one line that says
// which path and which level. Rules that people wrote are left as they are.
import { isMap, isScalar, isSeq, type Node, parseDocument, type YAMLSeq } from 'yaml';
import { byCodePoint } from '../../core/model/code-points.js';
import { hashText } from '../../meters/content-hash.js';
import type { ContextLevel } from '../plan/context-need.js';
import { withSetting } from './edit-settings.js';

export type LevelSettings = Readonly<Record<string, ContextLevel | null>>;

/** The text with a rule for each path; null takes its rule out. Undefined where only a person can tell how. */
export function withLevelRules(text: string, levels: LevelSettings): string | undefined {
  let after: string | undefined = text;
  for (const [path, level] of Object.entries(levels).sort(([a], [b]) => byCodePoint(a, b)))
    if (after !== undefined)
      after = withRule(after, idFor(path), level === null ? null : ruleFor(path, level));
  return after;
}

/** The levels that such rules give these paths now. */
export function levelRulesIn(rules: unknown, paths: readonly string[]): LevelSettings {
  const known = (Array.isArray(rules) ? rules : []) as { id?: unknown; level?: ContextLevel }[];
  const levelOf = (path: string) => known.find(({ id }) => id === idFor(path))?.level ?? null;
  return Object.fromEntries(paths.map((path) => [path, levelOf(path)]));
}

const idFor = (path: string) => `level-${hashText(path).replace(/^\w+:/, '').slice(0, 12)}`;

const ruleFor = (path: string, level: ContextLevel): object => ({
  ...{ id: idFor(path), tags: [], level, confidence: 1, settles: true },
  // Patterns are those of .gitignore, in which some characters of a name would mean something.
  when: { paths: [`/${path.replace(/[\\*?[\]!# ]/g, '\\$&')}`] },
});

function withRule(text: string, id: string, rule: object | null): string | undefined {
  const document = parseDocument(text, { version: '1.2', schema: 'core', logLevel: 'silent' });
  const { contents } = document;
  if (document.errors.length > 0 || (contents !== null && !isMap(contents))) return undefined;
  const words = rule === null ? '' : inOneLine(rule);
  const pair = contents?.items.find(({ key }) => isScalar(key) && key.value === 'rules');
  if (pair === undefined) {
    if (rule === null) return text;
    if (contents?.flow) return inBraces(text, contents.items.at(-1)?.value as Node | undefined, words);
    const end = text.includes('\r\n') ? '\r\n' : '\n';
    return `${text}${text === '' || text.endsWith('\n') ? '' : end}rules:${end}  - ${words}${end}`;
  }
  const list = pair.value;
  if (!isSeq(list) || !list.range) return undefined;
  const at = list.items.findIndex((item) => isMap(item) && (item.toJSON() as { id?: unknown }).id === id);
  const [start, end] = (list.items[at] as Node | undefined)?.range ?? [0, 0];
  if (at >= 0 && rule !== null) return text.slice(0, start) + words + text.slice(end);
  if (at < 0) return rule === null ? text : withItem(text, list, words);
  // The last rule takes the list with it.
  if (list.items.length === 1)
    return contents?.flow
      ? withSetting(text, 'rules', null)
      : withoutLines(text, (pair.key as Node).range?.[0] ?? 0, list.range[1]);
  return list.flow ? withoutFlowItem(text, list, at) : withoutLines(text, start, end);
}

/** JSON is YAML, and reads alike in both. */
function inOneLine(rule: object): string {
  return JSON.stringify(rule, null, 1).replace(/\n\s*/g, ' ');
}

function inBraces(text: string, last: Node | undefined, words: string): string {
  const added = `"rules": [${words}]`;
  const end = last?.range?.[1];
  return end === undefined
    ? text.replace('{', `{ ${added} `)
    : `${text.slice(0, end)}, ${added}${text.slice(end)}`;
}

function withItem(text: string, list: YAMLSeq, words: string): string | undefined {
  const last = (list.items.at(-1) as Node | undefined)?.range;
  const [start = 0] = list.range ?? [];
  if (!last) return list.flow ? `${text.slice(0, start + 1)}${words}${text.slice(start + 1)}` : undefined;
  if (list.flow) return `${text.slice(0, last[1])}, ${words}${text.slice(last[1])}`;
  const indent = text.slice(text.lastIndexOf('\n', start) + 1, start);
  if (indent.trim() !== '') return undefined;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const before = text.slice(0, last[1]).trimEnd();
  const behind = text.indexOf('\n', before.length);
  const whole = behind === -1 ? text + lineEnd : text.slice(0, behind + 1);
  return `${whole}${indent}- ${words}${lineEnd}${behind === -1 ? '' : text.slice(behind + 1)}`;
}

function withoutFlowItem(text: string, { items }: YAMLSeq, at: number): string {
  const range = (index: number) => (items[index] as Node | undefined)?.range ?? [0, 0];
  if (at > 0) return text.slice(0, range(at - 1)[1]) + text.slice(range(at)[1]);
  return text.slice(0, range(0)[0]) + text.slice(range(1)[0]);
}

/** The lines from one place to another, both whole. */
function withoutLines(text: string, from: number, to: number): string {
  const end = text.indexOf('\n', text.slice(0, to).trimEnd().length);
  return text.slice(0, text.lastIndexOf('\n', from - 1) + 1) + (end === -1 ? '' : text.slice(end + 1));
}
