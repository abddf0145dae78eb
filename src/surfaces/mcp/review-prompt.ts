// "Review this change": one page of the change as its reviewer gets it, with what is not on it said beside it.
import { resolve } from 'node:path';
import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import { GalleyError } from '../../core/model/error.js';
import { usualChange } from '../../review/change/usual-change.js';
import type { EngineCall } from '../engine.js';
import { messageOf, type PromptPlace } from './prompt-place.js';

export const reviewPrompt = {
  // No skill can have this name: theirs have no underscores.
  name: 'review_change',
  title: 'Review this change',
  description: 'Sets the current change, or the one you name, for a reviewer, page by page.',
  arguments: [
    { name: 'mode', description: 'pr, staged, working or commit; without it what you are working on.' },
    { name: 'base', description: 'With pr: the revision to compare with.' },
    { name: 'head', description: 'With pr: the revision to review.' },
    { name: 'commit', description: 'With commit: the revision.' },
    { name: 'page', description: 'Which page, from 1.' },
    { name: 'skill', description: 'A SKILL.md with instructions for the reviewer.' },
  ],
} satisfies Prompt;

const known: ReadonlySet<string> = new Set(reviewPrompt.arguments.map(({ name }) => name));

interface Chunks {
  readonly chunks: readonly { readonly text: string }[];
  readonly coverage: string;
}

export async function setReviewPrompt(
  { engine, folder }: PromptPlace,
  given: Readonly<Record<string, string>>,
  options: EngineCall,
): Promise<GetPromptResult> {
  if (Object.keys(given).some((argument) => !known.has(argument))) {
    throw new GalleyError('INVALID_ARGUMENT', `This prompt takes ${[...known].join(', ')} and no others.`);
  }
  const { page = '1', ...change } = given;
  const isNamed = ['mode', 'base', 'head', 'commit'].some((argument) => argument in given);
  const request = {
    ...(isNamed
      ? { mode: given.commit === undefined ? 'pr' : 'commit' }
      : await usualChange(resolve(folder))),
    ...change,
    redact: true,
  };
  const { chunks, coverage } = (await engine.call('review:chunks', request, options)) as Chunks;
  const chunk = chunks[pageNumber(page, chunks.length) - 1];
  if (chunk === undefined)
    return { description: coverage, messages: [messageOf('There is nothing to review.')] };
  const more = chunks.length > 1 ? ` Page ${page} of ${chunks.length}; ask for the others by "page".` : '';
  return { description: `${coverage}${more}`, messages: [messageOf(chunk.text)] };
}

function pageNumber(text: string, total: number): number {
  const page = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (page >= 1 && page <= Math.max(1, total)) return page;
  throw new GalleyError('INVALID_ARGUMENT', `page: must be a whole number from 1 to ${Math.max(1, total)}.`, {
    details: { field: 'page' },
  });
}
