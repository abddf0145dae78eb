// What a request to a model is made of, in the order in which its provider reads it: each block with its place in the body, and a
// hash by which two requests are compared. Marks that only ask for caching are not part of it: they move with every request.
import { createHash } from 'node:crypto';
import { type JsonObject, pick, pickText } from '../../models/answer/json-fields.js';
import { blocksOf, isCommandEcho, objectOf, textIn } from '../sessions/claude-session.js';
import { itemsOf } from '../sessions/codex-session.js';
import { modelItem, partsOf, userItem } from '../sessions/gemini-session.js';
import { recentCalls, type SessionItem } from '../sessions/session-log.js';

/** `settings`: what a provider takes into the key of its cache beside the words. */
export type RequestSection = 'tools' | 'system' | 'settings' | 'messages';

export interface RequestBlock extends Pick<SessionItem, 'part' | 'tool' | 'target'> {
  readonly section: RequestSection;
  /** One-based in its section: tool, system block or message number n. */
  readonly number: number;
  /** In the body: `tools[3]`, `messages[4].content[0]`. */
  readonly place: string;
  /** As sent, but for marks. */
  readonly json: string;
  readonly hash: string;
  /** What is weighed. */
  readonly text: string;
}

export interface ModelRequestBody {
  readonly protocol: ProtocolName;
  readonly model: string;
  /** By which the CLI itself tells its conversations apart, where it does. */
  readonly session?: string | undefined;
  readonly order: readonly RequestSection[];
  readonly blocks: readonly RequestBlock[];
}

type ProtocolName = 'anthropic-messages' | 'openai-responses' | 'openai-chat' | 'gemini';
type Item = Pick<SessionItem, 'part' | 'text' | 'tool' | 'target'>;
type Calls = ReturnType<typeof recentCalls>;
type BodyReader = (body: JsonObject, path: string) => ModelRequestBody;

/** Undefined for whatever is no call of a model: tokens that are only counted, reports home. */
export function protocolOf(method: string, path: string): ProtocolName | undefined {
  if (method !== 'POST') return undefined;
  if (/\/messages$/.test(path)) return 'anthropic-messages';
  if (/\/responses$/.test(path)) return 'openai-responses';
  if (/\/chat\/completions$/.test(path)) return 'openai-chat';
  return /:(?:streamG|g)enerateContent$/.test(path) ? 'gemini' : undefined;
}

export function readRequestBody(protocol: ProtocolName, body: JsonObject, path: string): ModelRequestBody {
  return readers[protocol](body, path);
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function block(section: RequestSection, number: number, place: string, value: unknown, item: Item) {
  const json =
    JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner)) ?? 'null';
  const { part, text, tool, target } = item;
  const hash = createHash('sha256').update(json).digest('hex');
  return { section, number, place, json, hash, part, text, tool, target } satisfies RequestBlock;
}

function toolBlocks(tools: unknown, place: string): RequestBlock[] {
  return listOf(tools).map((tool, index) => {
    const name = pickText(tool, 'name') ?? pickText(tool, 'function', 'name') ?? pickText(tool, 'type');
    return block('tools', index + 1, `${place}[${index}]`, tool, {
      part: 'tools',
      text: JSON.stringify(tool) ?? '',
      tool: name,
    });
  });
}

function systemBlocks(system: unknown, place: string): RequestBlock[] {
  if (typeof system === 'string')
    return [block('system', 1, place, { type: 'text', text: system }, { part: 'system', text: system })];
  return listOf(system).map((one, index) =>
    block('system', index + 1, `${place}[${index}]`, one, { part: 'system', text: textIn(one) }),
  );
}

function settings(body: JsonObject, names: readonly string[]): RequestBlock {
  const value = Object.fromEntries(names.flatMap((name) => (name in body ? [[name, body[name]]] : [])));
  return block('settings', 1, '', value, { part: 'system', text: '' });
}

/** A message may be a text alone or a list of blocks; a provider reads the same. */
const contentOf = (content: unknown): readonly JsonObject[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : blocksOf(content);

const anthropic: BodyReader = (body) => {
  const calls = recentCalls();
  return {
    protocol: 'anthropic-messages',
    model: pickText(body, 'model') ?? '',
    session: claudeSessionOf(pickText(body, 'metadata', 'user_id')),
    order: ['tools', 'system', 'settings', 'messages'],
    blocks: [
      ...toolBlocks(body.tools, 'tools'),
      ...systemBlocks(body.system, 'system'),
      settings(body, ['tool_choice', 'thinking']),
      ...listOf(body.messages).flatMap((message, index) => {
        const role = pickText(message, 'role') ?? '';
        const content = pick(message, 'content');
        return contentOf(content).map((inner, at) => {
          const place = `messages[${index}].content${typeof content === 'string' ? '' : `[${at}]`}`;
          return block('messages', index + 1, place, { role, ...inner }, anthropicItem(role, inner, calls));
        });
      }),
    ],
  };
};

/** Claude Code puts it last, as a word of its own or as JSON. */
const claudeSessionOf = (user: string | undefined) =>
  /session(?:_id)?(?:_|"\s*:\s*")([\w-]{8,})/.exec(user ?? '')?.[1];

function anthropicItem(role: string, inner: JsonObject, calls: Calls): Item {
  const text = pickText(inner, 'text') ?? pickText(inner, 'thinking') ?? '';
  if (inner.type === 'tool_use') {
    const [item] = itemsOf(
      {
        type: 'function_call',
        name: inner.name,
        call_id: inner.id,
        arguments: JSON.stringify(inner.input ?? {}),
      },
      calls,
    );
    return item ?? { part: 'call', text };
  }
  if (inner.type === 'tool_result')
    return {
      part: 'result',
      text: textIn(inner.content),
      ...calls.find(pickText(inner, 'tool_use_id')),
    };
  if (role === 'assistant') return { part: inner.type === 'text' ? 'assistant' : 'reasoning', text };
  if (role === 'system') return { part: 'system', text };
  if (text.startsWith('<system-reminder>'))
    return { part: text.includes('# claudeMd') ? 'memory' : 'added', text };
  if (isSummary(text)) return { part: 'summary', text };
  return { part: isCommandEcho(text) ? 'added' : 'user', text };
}

/** As the CLIs begin what stands for a compacted conversation. */
const isSummary = (text: string) =>
  /^(?:This session is being continued from a previous conversation|Another language model started to solve this problem)/.test(
    text,
  );

const responses: BodyReader = (body) => {
  const calls = recentCalls();
  const { input } = body;
  const items = typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input;
  return {
    protocol: 'openai-responses',
    model: pickText(body, 'model') ?? '',
    session: pickText(body, 'prompt_cache_key'),
    order: ['settings', 'system', 'tools', 'messages'],
    blocks: [
      settings(body, ['prompt_cache_key']),
      ...systemBlocks(body.instructions, 'instructions'),
      ...toolBlocks(body.tools, 'tools'),
      ...listOf(items).flatMap((one, index) => responseBlocks(one, index, calls)),
    ],
  };
};

function responseBlocks(one: unknown, index: number, calls: Calls): RequestBlock[] {
  const place = `input[${index}]`;
  const content = pick(one, 'content');
  const item = objectOf(one) ?? {};
  // A message without a type is one, too.
  const told = itemsOf({ type: 'message', ...item }, calls);
  if (!Array.isArray(content) || told.length !== content.length || told.length < 2)
    return [block('messages', index + 1, place, one, told[0] ?? { part: 'added', text: '' })];
  return told.map((each, at) =>
    block('messages', index + 1, `${place}.content[${at}]`, { ...item, content: content[at] }, each),
  );
}

const chat: BodyReader = (body) => {
  const calls = recentCalls();
  return {
    protocol: 'openai-chat',
    model: pickText(body, 'model') ?? '',
    order: ['tools', 'messages'],
    blocks: [
      ...toolBlocks(body.tools, 'tools'),
      ...listOf(body.messages).map((message, index) =>
        block('messages', index + 1, `messages[${index}]`, message, chatItem(message, calls)),
      ),
    ],
  };
};

function chatItem(message: unknown, calls: Calls): Item {
  const role = pickText(message, 'role');
  const text = textIn(pick(message, 'content'));
  if (role === 'system' || role === 'developer') return { part: 'system', text };
  if (role === 'tool') return { part: 'result', text, ...calls.find(pickText(message, 'tool_call_id')) };
  if (role !== 'assistant') return { part: isSummary(text) ? 'summary' : 'user', text };
  const made = listOf(pick(message, 'tool_calls')).flatMap((call) =>
    itemsOf({ ...objectOf(pick(call, 'function')), type: 'function_call', call_id: pick(call, 'id') }, calls),
  );
  const [first] = made;
  if (first === undefined) return { part: 'assistant', text };
  return { ...first, text: [text, ...made.map((call) => call.text)].join('\n') };
}

const gemini: BodyReader = (whole, path) => {
  const calls = recentCalls();
  // With a login, the request stands inside another.
  const inner = objectOf(whole.request);
  const body = inner ?? whole;
  const at = inner === undefined ? '' : 'request.';
  const declared = listOf(body.tools).flatMap((tool, index) =>
    toolBlocks(pick(tool, 'functionDeclarations'), `${at}tools[${index}].functionDeclarations`),
  );
  return {
    protocol: 'gemini',
    model: pickText(whole, 'model') ?? /models\/([^:/]+):/.exec(path)?.[1] ?? '',
    order: ['system', 'tools', 'settings', 'messages'],
    blocks: [
      ...systemBlocks(pick(body, 'systemInstruction', 'parts'), `${at}systemInstruction.parts`),
      ...declared.map((one, index) => ({ ...one, number: index + 1 })),
      settings(body, ['toolConfig', 'cachedContent']),
      ...listOf(body.contents).flatMap((content, index) => {
        const role = pickText(content, 'role') ?? 'user';
        const place = `${at}contents[${index}].parts`;
        return partsOf(pick(content, 'parts')).map((part, part0) => {
          const item = role === 'model' ? modelItem(part, calls) : userItem(part, calls);
          const told = item ?? { part: 'reasoning' as const, text: pickText(part, 'text') ?? '' };
          return block('messages', index + 1, `${place}[${part0}]`, { role, ...part }, told);
        });
      }),
    ],
  };
};

const readers: Readonly<Record<ProtocolName, BodyReader>> = {
  'anthropic-messages': anthropic,
  'openai-responses': responses,
  'openai-chat': chat,
  gemini,
};
