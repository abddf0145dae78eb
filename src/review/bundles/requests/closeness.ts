// Which of many places are worth opening first: code before tests, near before far.
import { byCodePoint } from '../../../core/model/code-points.js';
import { isTestPath, sharedFolders } from '../../related/path-kinship.js';

export function byCloseness(home: string): (left: string, right: string) => number {
  const distance = (path: string): number => {
    if (path === home) return -1;
    return (isTestPath(path) && !isTestPath(home) ? 2 : 0) + (1 - sharedFolders(path, home));
  };
  return (left, right) => distance(left) - distance(right) || byCodePoint(left, right);
}

const families: readonly (readonly string[])[] = [
  ['javascript', 'typescript', 'tsx', 'vue', 'svelte', 'html'],
  ['c', 'cpp', 'objc'],
  ['java', 'kotlin', 'scala'],
];

/** Languages whose files can call each other. */
export function sameFamily(left: string, right: string): boolean {
  return left === right || families.some((family) => family.includes(left) && family.includes(right));
}
