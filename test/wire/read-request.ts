// What a request of a provider's protocol says: the system text, the words of the user, the form of the answer, and the names of
// whatever else is in it that no setting explains.
import type { Received } from './law.js';

type Json = Readonly<Record<string, unknown>>;

interface Protocol {
  readonly by: string;
  readonly path: RegExp;
  readonly settings: readonly string[];
  read(body: Json): Pick<Received, 'system' | 'schema'> & {
    readonly said: readonly Said[];
    /** Where the system may speak between others: all in their order. */
    readonly all?: readonly Said[];
  };
}

interface Said {
  readonly role: unknown;
  readonly text: string;
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
  all: list.map(({ role, content }) => ({
    role: isSystem(role) ? 'system' : role,
    text: textOf(content),
  })),
  said: list
    .filter(({ role }) => !isSystem(role))
    .map(({ role, content }) => ({ role, text: textOf(content) })),
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
      ...{ ...said(objects(body.messages), () => false), all: undefined },
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
      said: objects(body.contents).map(({ role, parts }) => ({ role, text: textOf(parts) })),
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
  const { said: messages, schema, system, all } = protocol.read(body);
  const first = system === '' ? [] : [{ role: 'system', text: system }];
  const strangers = Object.keys(body).filter((name) => !protocol.settings.includes(name));
  // A conversation is begun by the user, who speaks in turn with the model and has the last word.
  const isInTurn = messages.every(({ role }, at) => (role === 'user') === (at % 2 === 0));
  return {
    by: protocol.by,
    system,
    spoken: (all ?? [...first, ...messages]).map(({ role, text }) => ({
      role: role === 'model' ? 'assistant' : String(role),
      text,
    })),
    prompt: messages.map(({ text }) => text).join(''),
    messages: messages.map(({ text }) => Buffer.byteLength(text)),
    ...(schema === undefined ? {} : { schema }),
    strangers: isInTurn && messages.length % 2 === 1 ? strangers : [...strangers, 'messages out of turn'],
  };
}
