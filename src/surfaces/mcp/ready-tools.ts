// The tools as they were written down when the package was built: to describe them anew, every operation has to be loaded.
// A checkout that was not built has none.
import { readFileSync } from 'node:fs';
import type { DescribedTool } from './describe-tools.js';

export function readyTools(): readonly DescribedTool[] | undefined {
  try {
    return JSON.parse(readFileSync(new URL('tools.json', import.meta.url), 'utf8'));
  } catch {
    return undefined;
  }
}
