// What is proposed for hosts, filled in for one repository, and the action they use, as documents.
import { readFileSync, rmSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { scratchFolder } from '../../src/git/testing/scratch-repository.js';
import { type CiOptions, ciFiles } from '../../src/surfaces/cli/init/ci-files.js';

export const revision = 'c0ffee'.padEnd(40, '7');
export const from = `acme/galley@${revision}`;

export interface CiDocument {
  readonly path: string;
  readonly text: string;
  readonly document: unknown;
}

export async function ciDocuments(options: CiOptions): Promise<CiDocument[]> {
  const folder = scratchFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { files } = await ciFiles(folder, { from, model: 'anthropic/claude-sonnet-4-5', ...options });
  return files.map(({ path, content }) => ({ path, text: content, document: parse(content) }));
}

export interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, unknown>>;
}

export interface Job {
  readonly if?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  readonly concurrency?: { readonly group: string };
}

export interface Workflow {
  readonly name: string;
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

export interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

export const actionText = readFileSync('action/action.yml', 'utf8');
export const action = parse(actionText) as Action;
