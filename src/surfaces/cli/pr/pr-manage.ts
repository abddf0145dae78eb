// galley pr status, post, resolve and retract.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GalleyError } from '../../../core/model/error.js';
import { openRepository } from '../../../git/repository/open-repository.js';
import { printablePath } from '../../../review/change/safe-text.js';
import type { PullStatus } from '../../../review/pull/manage-pull.js';
import { runOperation } from '../shell/local-context.js';
import { readTextFile } from '../shell/read-input.js';
import { warningText } from '../terminal/explain-receipt.js';
import { textTable } from '../terminal/table.js';
import { printJson } from '../terminal/talk.js';
import { counted, factWords, word } from '../words/word.js';
import { postedWords } from './pr-words.js';

interface PrOptions {
  readonly repo: string;
  readonly key?: string;
  readonly json?: boolean;
}

function fieldsOf(pull: string | undefined, { repo, key }: PrOptions): Record<string, unknown> {
  return { repo, ...(pull === undefined ? {} : { pull }), ...(key === undefined ? {} : { key }) };
}

export async function prStatus(pull: string | undefined, options: PrOptions): Promise<void> {
  const status = await runOperation('forge:status', fieldsOf(pull, options));
  if (options.json) return printJson(status);
  process.stdout.write(`${statusText(status)}\n`);
}

function statusText({ number, url, head, reviewed, findings }: PullStatus): string {
  const state =
    reviewed === undefined
      ? word('pr.never')
      : reviewed === head
        ? word('pr.up-to-date', { head: head.slice(0, 10) })
        : word('pr.behind', { head: reviewed.slice(0, 10), now: head.slice(0, 10) });
  const first = `${word('pr.headline', { number, url })}\n${state}`;
  if (findings.length === 0) return `${first}\n${word('pr.no-findings')}`;
  const rows = findings.map(({ id, path, line, severity, title, standing }) => [
    id.slice(0, 8),
    factWords(`standing.${standing}`, standing),
    severity,
    `${printablePath(path)}${line > 0 ? `:${line}` : ''}`,
    title.replace(/\s+/g, ' ').replaceAll(/[^\P{C}]/gu, '?'),
  ]);
  const titles = ['id', 'standing', 'severity', 'place', 'finding'] as const;
  const table = textTable(
    titles.map((title) => ({ title: word(`pr.col.${title}`), shrink: title === 'finding' })),
    rows,
    { width: process.stdout.columns || 160 },
  );
  return `${first}\n\n${table}`;
}

export async function prPost(
  report: string,
  pull: string | undefined,
  options: PrOptions & { readonly failLevel?: string; readonly dryRun?: boolean },
): Promise<void> {
  const posted = await runOperation('forge:post', {
    ...fieldsOf(pull, options),
    report: await readTextFile(report),
    ...(options.failLevel === undefined ? {} : { failLevel: options.failLevel }),
    ...(options.dryRun ? { dryRun: true } : {}),
  });
  if (options.json) printJson(posted);
  else {
    for (const warning of posted.warnings)
      process.stderr.write(`galley: ${warningText(warning)} (${warning.code})\n`);
    const { lines, summary } = posted;
    const said = options.dryRun
      ? word('pr.would-post', { lines, summary: word(`pr.summary.${summary}`) })
      : postedWords(posted);
    process.stdout.write(`${said}\n`);
  }
  if (posted.fails) process.exitCode = 1;
}

export async function prResolve(
  findings: readonly string[],
  options: PrOptions & { readonly pull?: string },
): Promise<void> {
  const changed = await runOperation('forge:resolve', { ...fieldsOf(options.pull, options), findings });
  if (options.json) return printJson(changed);
  process.stdout.write(`${word('pr.resolved', { threads: counted(changed.resolved, 'thread') })}\n`);
}

export async function prRetract(
  pull: string | undefined,
  options: PrOptions & { readonly all?: boolean },
): Promise<void> {
  const changed = await runOperation('forge:retract', {
    ...fieldsOf(pull, options),
    ...(options.all ? { all: true } : {}),
  });
  if (options.json) return printJson(changed);
  const kept = changed.kept === 0 ? '' : word('pr.retract-kept', { n: changed.kept });
  process.stdout.write(`${word('pr.retracted', { comments: counted(changed.removed, 'comment') })}${kept}\n`);
  for (const warning of changed.warnings)
    process.stderr.write(`galley: ${warningText(warning)} (${warning.code})\n`);
}

export async function prExempt(
  findings: readonly string[],
  options: PrOptions & { readonly pull?: string },
): Promise<void> {
  const { file, text, added } = await runOperation('forge:exempt', {
    ...fieldsOf(options.pull, options),
    ...(findings.length === 0 ? {} : { findings }),
  });
  if (added > 0) await writeInRepository(options.repo, file, text);
  if (options.json) return printJson({ file, added });
  const said =
    added === 0
      ? word('pr.exempted-none', { file })
      : word('pr.exempted', { findings: counted(added, 'finding'), file });
  process.stdout.write(`${said}\n`);
}

async function writeInRepository(folder: string, file: string, text: string): Promise<void> {
  const repository = await openRepository(folder);
  await repository.close();
  const { topLevel } = repository;
  if (topLevel === undefined)
    throw new GalleyError('NOT_A_REPOSITORY', '--repo: a working tree is needed to write the file.', {
      details: { field: 'repo' },
    });
  const path = join(topLevel, file);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  } catch (cause) {
    throw new GalleyError('FILE_UNREADABLE', `${file} cannot be written.`, { details: { file }, cause });
  }
}
