// Which repositories take part, how many questions of each are asked, and the proof that they are the questions that were fixed
// before anything was tuned: their hashes stand in questions.json.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type QuestionKind, type Row, readRows } from './read-rows.js';

export const givenRepositories = {
  prfollow: 'hono trpc zod nitro express gemini-cli svelte kysely typescript-sdk cline gin'.split(' '),
  crossfile: 'hono express flask trpc gin gson ai'.split(' '),
} as const;

/** Drawn by draw-followups.ts from pull requests in seven more languages and dialects of them. */
export const drawnRepositories = 'cobra ripgrep bat requests sinatra fmt mockito httpx'.split(' ');

/** Measured once, after everything was chosen; nobody learns from them or opens one of their questions. */
export const heldOutRepositories = 'retrofit hyper automapper slim puma detekt spdlog echo uvicorn'.split(
  ' ',
);

/** Of a repository with many questions every n-th is asked, so that none outweighs the others. */
export const mostAsked = 50;

/** The same, for what one page keeps of the lines that change again later. */
export const pageRepositories =
  'mux tower click jekyll guice ktor fluentvalidation carbon catch2 query alamofire koa'.split(' ');

const hashFile = join('bench', 'quality', 'questions.json');

export function askedRows(name: string, kind: QuestionKind): Row[] {
  const rows = readRows(name, [kind]);
  const stride = Math.max(1, rows.length / mostAsked);
  const asked = rows.filter((_, at) => Math.floor(at / stride) !== Math.floor((at - 1) / stride));
  const fixed = fixedHashes()[`${kind} ${name}`];
  if (asked.length > 0 && fixed !== undefined && fixed !== hashOf(asked))
    throw new Error(`The ${kind} questions of ${name} are not those that were fixed in ${hashFile}.`);
  return asked;
}

export function hashOf(rows: readonly Row[]): string {
  const named = rows.map(({ base, parent, snapshot, commit, hidden }) =>
    JSON.stringify([base ?? parent, snapshot ?? commit, hidden.map(({ path, gold }) => [path, gold])]),
  );
  return createHash('sha256').update(named.join('\n')).digest('hex').slice(0, 16);
}

function fixedHashes(): Record<string, string> {
  return existsSync(hashFile) ? (JSON.parse(readFileSync(hashFile, 'utf8')) as Record<string, string>) : {};
}
