// What a chat client sends, as a request of ours. Messages are taken whole or refused; what cannot be passed on and would change
// the answer is refused by its name, and what is harmless is named as not applied.
import * as z from 'zod';
import { GalleyError } from '../../core/model/error.js';
import { parseInput } from '../../core/model/input.js';

export interface ReadChat {
  /** As the client names it. */
  readonly model: string;
  readonly isStream: boolean;
  readonly includeUsage: boolean;
  /** Fields of `chat:complete`. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Fields that have no meaning here. */
  readonly ignored: readonly string[];
}

const optional = <T extends z.ZodType>(schema: T) =>
  schema.nullish().transform((value) => value ?? undefined);

const part = z.looseObject({ type: z.string() });
const messageBody = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(part)]).nullish(),
  name: optional(z.string()),
});

const body = z.looseObject({
  model: z.string().max(2_000).default('galley'),
  messages: z.array(messageBody).min(1),
  stream: optional(z.boolean()),
  stream_options: optional(z.looseObject({ include_usage: z.boolean().nullish() })),
  temperature: optional(z.number()),
  top_p: optional(z.number()),
  top_k: optional(z.number()),
  presence_penalty: optional(z.number()),
  frequency_penalty: optional(z.number()),
  seed: optional(z.number()),
  stop: optional(z.union([z.string(), z.array(z.string())])),
  user: optional(z.string()),
  max_tokens: optional(z.number()),
  max_completion_tokens: optional(z.number()),
});

export function readChat(sent: unknown): ReadChat {
  const read = parseInput(body, sent);
  const { model, messages, stream, stream_options, ...rest } = read;
  refuseUnpassable(rest);
  const { temperature, top_p, top_k, presence_penalty, frequency_penalty, seed, stop, user } = read;
  const sampling = present({
    ...{ temperature, topP: top_p, topK: top_k, seed, user },
    ...{ presencePenalty: presence_penalty, frequencyPenalty: frequency_penalty },
    stop: stop === undefined ? undefined : [stop].flat(),
  });
  return {
    model,
    isStream: stream ?? false,
    includeUsage: stream_options?.include_usage ?? false,
    fields: present({
      messages: messages.map(messageOf),
      maxOutputTokens: read.max_completion_tokens ?? read.max_tokens,
      sampling: Object.keys(sampling).length === 0 ? undefined : sampling,
    }),
    ignored: Object.keys(rest)
      .filter((name) => !known.has(name) && !isNothing(rest[name]) && !(name in unpassable))
      .filter((name) => /^[\w.-]{1,60}$/.test(name))
      .slice(0, 50),
  };
}

const known: ReadonlySet<string> = new Set(Object.keys(body.shape));

/** Asked for by a value that means something; the ones named here ask for what there is anyway. */
const unpassable: Readonly<Record<string, (value: unknown) => boolean>> = {
  n: (value) => value === 1,
  tools: () => false,
  functions: () => false,
  tool_choice: (value) => value === 'none' || value === 'auto',
  function_call: (value) => value === 'none' || value === 'auto',
  logprobs: () => false,
  top_logprobs: (value) => value === 0,
  logit_bias: () => false,
  response_format: (value) => Object(value).type === 'text',
  modalities: (value) => Array.isArray(value) && value.every((each) => each === 'text'),
  audio: () => false,
  prediction: () => false,
  web_search_options: () => false,
};

function refuseUnpassable(fields: Readonly<Record<string, unknown>>): void {
  for (const [name, isHarmless] of Object.entries(unpassable))
    if (Object.hasOwn(fields, name) && !isNothing(fields[name]) && !isHarmless(fields[name]))
      throw refused(name, 'is not passed on by this server; leave it out');
}

/** As clients say that they ask for nothing. */
function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

type MessageBody = z.output<typeof messageBody>;

function messageOf({ role, content, name, ...rest }: MessageBody, at: number): object {
  const place = `messages[${at}]`;
  const other = Object.keys(rest).find((field) => !isNothing(rest[field]));
  if (other !== undefined)
    throw refused(`${place}.${other.slice(0, 60)}`, 'is not passed on by this server; send text alone');
  if (!roles.has(role)) throw refused(`${place}.role`, 'must be system, user or assistant');
  if (content === null || content === undefined) throw refused(`${place}.content`, 'must be text');
  const words =
    typeof content === 'string'
      ? content
      : content.map(({ type, text, ...more }, index) => {
          if (
            type !== 'text' ||
            typeof text !== 'string' ||
            Object.keys(more).some((key) => !isNothing(more[key]))
          )
            throw refused(`${place}.content[${index}]`, 'must be a part of type text, and nothing else');
          return text;
        });
  return { role, content: words, ...(name === undefined ? {} : { name }) };
}

const roles: ReadonlySet<string> = new Set(['system', 'user', 'assistant']);

function refused(field: string, says: string): GalleyError {
  return new GalleyError('INVALID_ARGUMENT', `${field}: ${says}.`, { details: { field } });
}

function present(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
