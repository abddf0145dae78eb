// What a request of a provider's protocol says: the system text, the words of the user, the form of the answer, and the names of
// whatever else is in it that no setting explains.
import type { Received } from './law.js';

type Json = Readonly<Record<string, unknown>>;

interface Protocol {
  readonly by: string;
  readonly path: RegExp;
  readonly settings: readonly string[];
  read(body: Json): Pick<Received, 'system' | 'prompt' | 'schema'> & { readonly turns: number };
}

const objects = (value: unknown): Json[] => (Array.isArray(value) ? value : []);
const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : objects(content)
        .map(({ text }) => String(text))
        .join('');
const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((found, name) => (found as Json | undefined)?.[name], value);
const said = (list: readonly Json[], isSystem: (role: unknown) => boolean) => ({
  system: list
    .filter(({ role }) => isSystem(role))
    .map(({ content }) => textOf(content))
    .join(''),
  prompt: list
    .filter(({ role }) => !isSystem(role))
    .map(({ content }) => textOf(content))
    .join(''),
  turns: list.filter(({ role }) => !isSystem(role)).length,
});

const protocols: readonly Protocol[] = [
  {
    by: 'anthropic',
    path: /\/messages$/,
    settings: [
      'model',
      'max_tokens',
      'stream',
      'system',
      'messages',
      'output_config',
      'tools',
      'tool_choice',
    ],
    read: (body) => ({
      ...said(objects(body.messages), () => false),
      system: textOf(body.system ?? ''),
      schema: at(body, 'output_config', 'format', 'schema') ?? objects(body.tools)[0]?.input_schema,
    }),
  },
  {
    by: 'openai',
    path: /\/responses$/,
    settings: [
      ...['model', 'max_output_tokens', 'stream', 'input', 'text', 'store', 'include'],
      ...['prompt_cache_key', 'prompt_cache_options'],
    ],
    read: (body) => ({
      ...said(objects(body.input), (role) => role === 'system' || role === 'developer'),
      schema: at(body, 'text', 'format', 'schema'),
    }),
  },
  {
    by: 'google',
    path: /:streamGenerateContent$/,
    settings: ['generationConfig', 'contents', 'systemInstruction'],
    read: (body) => ({
      system: textOf(at(body, 'systemInstruction', 'parts') ?? ''),
      prompt: objects(body.contents)
        .map(({ parts }) => textOf(parts))
        .join(''),
      turns: objects(body.contents).length,
      schema: at(body, 'generationConfig', 'responseSchema'),
    }),
  },
  {
    by: 'compatible',
    path: /\/chat\/completions$/,
    settings: ['model', 'max_tokens', 'stream', 'stream_options', 'messages', 'response_format'],
    read: (body) => ({
      ...said(objects(body.messages), (role) => role === 'system'),
      schema: at(body, 'response_format', 'json_schema', 'schema'),
    }),
  },
];

export function readRequest(path: string, bytes: Buffer): Received {
  const protocol = protocols.find((each) => each.path.test(path.split('?')[0] ?? ''));
  if (protocol === undefined) return { by: path, system: '', prompt: '', strangers: ['an unknown protocol'] };
  const body = JSON.parse(bytes.toString('utf8')) as Json;
  const { turns, schema, ...texts } = protocol.read(body);
  const strangers = Object.keys(body).filter((name) => !protocol.settings.includes(name));
  return {
    by: protocol.by,
    ...texts,
    ...(schema === undefined ? {} : { schema }),
    strangers: turns === 1 ? strangers : [...strangers, `${turns} messages`],
  };
}
