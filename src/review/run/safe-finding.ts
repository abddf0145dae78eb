// A finding that knows nothing of our marks: a suggestion that holds one would write it into a file, and a quote that holds one
// stands nowhere.

import { redactionMark } from '../../cleaning/redact.js';
import type { Finding } from '../findings/finding.js';

const shownCharacter = /\{U\+[0-9A-F]{4,6}\}/;

export function safeFinding(finding: Finding): Finding {
  const { suggestion, ...rest } = finding;
  const evidence = longestRun(
    finding.evidence.split('\n').map((line) => (isMarked(line) ? undefined : line)),
  );
  const plain = isMarked(finding.evidence) ? { ...rest, evidence } : rest;
  return suggestion === undefined || isMarked(suggestion.replacement) ? plain : { ...plain, suggestion };
}

function isMarked(text: string): boolean {
  return redactionMark.test(text) || shownCharacter.test(text);
}

/** Neighbouring lines that are there, as many as possible. */
function longestRun(lines: readonly (string | undefined)[]): string {
  let best: string[] = [];
  let open: string[] = [];
  for (const line of [...lines, undefined]) {
    if (line !== undefined) open.push(line);
    else {
      if (open.length > best.length) best = open;
      open = [];
    }
  }
  return best.join('\n');
}
