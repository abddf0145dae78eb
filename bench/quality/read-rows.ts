// The development questions of one repository; none when the data is not on this machine.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from './load-instances.js';
import { dataRoot } from './repositories.js';

export function readRows(name: string, kinds: readonly Row['kind'][]): Row[] {
  const rows: Row[] = [];
  for (const set of ['pr-followup', 'holdout-hunk']) {
    const file = join(dataRoot, set, `${name}.jsonl`);
    if (!existsSync(file)) continue;
    for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
      const row = JSON.parse(line) as Row;
      if (kinds.includes(row.kind)) rows.push(row);
    }
  }
  return rows;
}
