// The development questions of one repository; none when the data is not on this machine.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataRoot, drawnRoot } from './repositories.js';

export type QuestionKind = 'prfollow' | 'crossfile' | 'samefile';

export interface Row {
  readonly repo: string;
  readonly kind: QuestionKind;
  readonly base?: string;
  readonly snapshot?: string;
  /** The last commit of the request. */
  readonly head?: string;
  readonly parent?: string;
  readonly commit?: string;
  readonly visible: Readonly<Record<string, readonly (readonly [number, number, number, number])[]>>;
  readonly hidden: readonly { readonly path: string; readonly gold: readonly number[] }[];
}

export function readRows(name: string, kinds: readonly QuestionKind[]): Row[] {
  const rows: Row[] = [];
  for (const set of ['pr-followup', 'holdout-hunk']) {
    const file = [dataRoot, drawnRoot].map((root) => join(root, set, `${name}.jsonl`)).find(existsSync);
    if (file === undefined) continue;
    for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
      const row = JSON.parse(line) as Row;
      if (kinds.includes(row.kind)) rows.push(row);
    }
  }
  return rows;
}
