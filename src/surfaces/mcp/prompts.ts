// Prompts a person picks in a client: every skill of the project, set for a document, and the review of a change.
import type { GetPromptResult, ListPromptsResult, Prompt } from '@modelcontextprotocol/server';
import { GalleyError } from '../../core/model/error.js';
import type { EngineCall } from '../engine.js';
import { messageOf, type PromptPlace } from './prompt-place.js';
import { reviewPrompt, setReviewPrompt } from './review-prompt.js';

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

const known = new Set(skillArguments.map(({ name }) => name));

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

export interface PromptRequest {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, string>> | undefined;
}

export async function getPrompt(
  place: PromptPlace,
  { name, arguments: given = {} }: PromptRequest,
  options: EngineCall,
): Promise<GetPromptResult> {
  if (name === reviewPrompt.name) return setReviewPrompt(place, given, options);
  const strange = Object.keys(given).find((argument) => !known.has(argument));
  if (strange !== undefined) {
    throw new GalleyError(
      'INVALID_ARGUMENT',
      `A skill takes the arguments ${[...known].join(', ')} and no others.`,
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
