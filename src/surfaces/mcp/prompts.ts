// Prompts a person picks in a client: every skill of the project, set for a document, and the review of a change.

import type { GetPromptResult, ListPromptsResult, Prompt } from '@modelcontextprotocol/server';
import { GalleyError } from '../../core/model/error.js';
import type { Engine, EngineCall } from '../engine.js';
import type { ReviewReader } from './review-page.js';

interface SkillEntry {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

const skillArguments: Prompt['arguments'] = [
  {
    name: 'documentId',
    description: 'The document to work on, as stored or as a chapter file.',
    required: true,
  },
  { name: 'text', description: 'Its live text; wins over the stored one.' },
  { name: 'additionalInput', description: 'What else you want to say.' },
  { name: 'projectId', description: 'Another project than that of the folder.' },
  { name: 'model', description: 'The model whose tokenizer counts.' },
  { name: 'language', description: 'Of the prompt: zh, or en.' },
];

const knownArguments = new Set(skillArguments.map(({ name }) => name));

export async function listPrompts(
  { engine, projectId }: PromptPlace,
  options: EngineCall,
): Promise<ListPromptsResult> {
  const { skills } = (await engine.call('skills:list', { projectId }, options)) as { skills: SkillEntry[] };
  return {
    prompts: [
      reviewPrompt,
      ...skills.map(({ id, name, description }) => ({
        name: id,
        title: name,
        description,
        arguments: skillArguments,
      })),
    ],
  };
}

interface PromptRequest {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, string>> | undefined;
}

export async function getPrompt(
  place: PromptPlace,
  { name, arguments: given = {} }: PromptRequest,
  options: EngineCall,
): Promise<GetPromptResult> {
  if (name === reviewPrompt.name) return setReviewPrompt(place, given, options);
  const strange = Object.keys(given).find((argument) => !knownArguments.has(argument));
  if (strange !== undefined) {
    throw new GalleyError(
      'INVALID_ARGUMENT',
      `A skill takes the arguments ${[...knownArguments].join(', ')} and no others.`,
    );
  }
  const { projectId } = place;
  const { systemPrompt, userContent } = (await place.engine.call(
    'ai:skill:run',
    { projectId, ...given, skillId: name, dryRun: true },
    options,
  )) as { systemPrompt: string; userContent: string };
  return { messages: [systemPrompt, userContent].filter((text) => text !== '').map(messageOf) };
}

const reviewPrompt = {
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

const reviewArguments: ReadonlySet<string> = new Set(reviewPrompt.arguments.map(({ name }) => name));

/** One page of the change as its reviewer gets it, with what is not on it said beside it. */
async function setReviewPrompt(
  place: PromptPlace,
  given: Readonly<Record<string, string>>,
  options: EngineCall,
): Promise<GetPromptResult> {
  if (Object.keys(given).some((argument) => !reviewArguments.has(argument))) {
    throw new GalleyError(
      'INVALID_ARGUMENT',
      `This prompt takes ${[...reviewArguments].join(', ')} and no others.`,
    );
  }
  const { page = '1', ...change } = given;
  const number = /^\d{1,9}$/.test(page) ? Number(page) : 0;
  const { text, coverage, pages } = await place.review({ ...change, page: number }, options);
  const more = pages > 1 ? ` Page ${page} of ${pages}; ask for the others by "page".` : '';
  return { description: `${coverage}${more}`, messages: [messageOf(text)] };
}

interface PromptPlace {
  readonly engine: Engine;
  readonly projectId: string;
  readonly review: ReviewReader;
}

/** Of the user, since the protocol has no others for instructions. */
function messageOf(text: string): GetPromptResult['messages'][number] {
  return { role: 'user', content: { type: 'text', text } };
}
