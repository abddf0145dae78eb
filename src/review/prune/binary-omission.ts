// Git finds out that a file is binary only while comparing it, so this omission is made late.
import { byCodePoint } from '../../core/model/code-points.js';
import type { Omission } from './omission.js';

export function binaryOmission(path: string): Omission {
  return { path, reason: 'binary', rule: 'binary', added: 0, removed: 0 };
}

export function inPathOrder(omissions: readonly Omission[]): Omission[] {
  return [...omissions].sort((a, b) => byCodePoint(a.path, b.path) || byCodePoint(a.rule, b.rule));
}
