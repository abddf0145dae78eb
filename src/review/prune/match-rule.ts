// Which rule, if any, speaks about a path? Directories match whole segments, never parts of a name.
import { type PruneRule, pruneRules } from './prune-rules.js';

export interface PathMatch {
  readonly rule: string;
  readonly reason: string;
}

export function matchRule(path: string, rules: readonly PruneRule[] = pruneRules): PathMatch | undefined {
  const segments = path.split('/');
  const name = segments.pop() ?? '';
  for (const rule of rules) {
    if (rule.names?.some((pattern) => matchesName(name, pattern)))
      return { rule: rule.id, reason: rule.reason };
    const extension = extensionOf(name);
    if (rule.extensions?.includes(extension))
      return { rule: rule.id, reason: `${rule.reason} (${extension})` };
    const directory = rule.directories?.find(
      (wanted) => path.includes(wanted) && holds(segments, wanted, rule.notBelow),
    );
    if (directory !== undefined) return { rule: rule.id, reason: `${rule.reason} (${directory}/)` };
  }
  return undefined;
}

function matchesName(name: string, pattern: string): boolean {
  if (pattern.startsWith('*')) return name.length >= pattern.length && name.endsWith(pattern.slice(1));
  return name === pattern;
}

function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot).toLowerCase();
}

function holds(segments: readonly string[], wanted: string, notBelow: readonly string[] = []): boolean {
  const run = wanted.split('/');
  for (let at = 0; at + run.length <= segments.length; at += 1) {
    if (notBelow.includes(segments[at - 1] ?? '')) return false;
    if (at > 0 && segments.slice(0, at).some((segment) => notBelow.includes(segment))) return false;
    if (run.every((part, offset) => segments[at + offset] === part)) return true;
  }
  return false;
}
