// The text of a request as blocks with cache markers on some of them, cut as a provider asks for it. Joined again, the blocks are
// the text, byte for byte.

import { hash } from 'node:crypto';
import { providerProfileFor } from '../catalog/provider-profiles.js';
import type { ModelRequest, RequestSpeaker } from '../contract/model.js';
import type { Endpoint } from './endpoint.js';

export interface ContentBlock {
  readonly text: string;
  /** The provider may keep everything up to the end of this block. */
  readonly marked: boolean;
  /** Of an earlier answer: neighbours of one speaker are one message. */
  readonly isAnswer?: true;
  /** Of a conversation that somebody else holds. */
  readonly speaker?: Omit<RequestSpeaker, 'offset'>;
}

export interface ContentBlocks {
  readonly system: readonly ContentBlock[];
  readonly prompt: readonly ContentBlock[];
}

interface MarkerRules {
  readonly most: number;
  /** Cut at every cache point, so that what an earlier request had marked is found again; else only at markers. */
  readonly everyPoint: boolean;
  /** Whether a provider would keep a text of this size. */
  isEnough(text: string, bytes: number): boolean | Promise<boolean>;
}

interface Border {
  /** In UTF-16 units of its own text. */
  readonly index: number;
  /** In UTF-8 bytes of system text and prompt together. */
  readonly bytes: number;
}

export function wholeBlocks(request: ModelRequest): ContentBlocks {
  if (request.speakers !== undefined) return spokenBlocks(request, request.speakers, 0);
  const { system = '' } = request;
  const whole = (text: string): ContentBlock[] => (text === '' ? [] : [{ text, marked: false }]);
  return {
    system: whole(system),
    prompt: messagesOf(request).flatMap(({ text, isAnswer }) => spokenBy(isAnswer, whole(text))),
  };
}

/** One block for each message or part of one, as it was said; the last of those that end at a cache point are marked. */
function spokenBlocks(
  { prompt, cachePoints }: ModelRequest,
  speakers: readonly RequestSpeaker[],
  most: number,
): ContentBlocks {
  const whole = Buffer.from(prompt);
  const ends = speakers.map((_, at) => speakers[at + 1]?.offset ?? whole.length);
  const points = new Set(cachePoints?.prompt ?? []);
  const marked = new Set(most === 0 ? [] : ends.filter((end) => points.has(end)).slice(-most));
  return {
    system: [],
    prompt: speakers.map(({ offset, ...speaker }, at) => {
      const end = ends[at] ?? whole.length;
      const text = whole.toString('utf8', offset, end);
      // Providers refuse a mark on a blank block.
      return { text, marked: marked.has(end) && text.trim() !== '', speaker };
    }),
  };
}

interface Message {
  readonly text: string;
  /** In UTF-16 units and UTF-8 bytes of the prompt. */
  readonly index: number;
  readonly bytes: number;
  readonly isAnswer: boolean;
}

/** The prompt at the places where the other side begins to speak. */
function messagesOf({ prompt, turns = [] }: ModelRequest): Message[] {
  if (turns.length === 0) return [{ text: prompt, index: 0, bytes: 0, isAnswer: false }];
  const whole = Buffer.from(prompt);
  let index = 0;
  return [0, ...turns].map((bytes, at) => {
    const text = whole.toString('utf8', bytes, turns[at] ?? whole.length);
    const message = { text, index, bytes, isAnswer: at % 2 === 1 };
    index += text.length;
    return message;
  });
}

function spokenBy(isAnswer: boolean, blocks: readonly ContentBlock[]): readonly ContentBlock[] {
  return isAnswer ? blocks.map((block) => ({ ...block, isAnswer })) : blocks;
}

export async function contentBlocks(request: ModelRequest, rules: MarkerRules): Promise<ContentBlocks> {
  const { system = '', prompt, cachePoints = {} } = request;
  const systemBorders = bordersOf(system, cachePoints.system ?? [], 0);
  const systemBytes = Buffer.byteLength(system);
  const messages = messagesOf(request).map((message) => {
    const points = (cachePoints.prompt ?? []).map((point) => point - message.bytes);
    return { ...message, borders: bordersOf(message.text, points, systemBytes + message.bytes) };
  });
  const textBefore = new Map<Border, string>([
    ...systemBorders.map((border) => [border, system.slice(0, border.index)] as const),
    ...messages.flatMap(({ borders, index }) =>
      borders.map((border) => [border, `${system}${prompt.slice(0, index + border.index)}`] as const),
    ),
  ]);
  const enough: Border[] = [];
  for (const [border, text] of textBefore) {
    // What is enough stays enough further on.
    if (enough.length > 0 || (await rules.isEnough(text, border.bytes))) enough.push(border);
  }
  const marked = new Set(mostValuable(enough, rules.most));
  const kept = (borders: readonly Border[]) =>
    rules.everyPoint ? borders : borders.filter((border) => marked.has(border));
  return {
    system: cut(system, kept(systemBorders), marked),
    prompt: messages.flatMap(({ text, borders, isAnswer }) =>
      spokenBy(isAnswer, cut(text, kept(borders), marked)),
    ),
  };
}

/** Borders between blocks that all have words in them; providers refuse blank ones. */
function bordersOf(text: string, points: readonly number[], bytesBefore: number): Border[] {
  if (text.trim() === '') return [];
  const borders: Border[] = [];
  let index = 0;
  let bytes = 0;
  for (const point of points) {
    const gap = point - bytes;
    if (!Number.isSafeInteger(gap) || gap <= 0) continue;
    if (gap > 3 * (text.length - index)) break;
    const { read, written } = encoder.encodeInto(text.slice(index), new Uint8Array(gap));
    if (written === 0) continue;
    // Beyond the end of the text there is nothing to mark.
    if (index + read === text.length && written < gap) break;
    const isBlank = text.slice(borders.at(-1)?.index ?? 0, index + read).trim() === '';
    index += read;
    bytes += written;
    if (isBlank) borders.pop();
    borders.push({ index, bytes: bytesBefore + bytes });
  }
  const last = borders.at(-1);
  if (last !== undefined && last.index < text.length && text.slice(last.index).trim() === '')
    borders.splice(-1, 1, { index: text.length, bytes: bytesBefore + Buffer.byteLength(text) });
  const first = borders[0];
  return first !== undefined && text.slice(0, first.index).trim() === '' ? borders.slice(1) : borders;
}

const encoder = new TextEncoder();

function cut(text: string, borders: readonly Border[], marked: ReadonlySet<Border>): ContentBlock[] {
  const blocks: ContentBlock[] = [];
  let index = 0;
  for (const border of borders) {
    blocks.push({ text: text.slice(index, border.index), marked: marked.has(border) });
    index = border.index;
  }
  const rest = text.slice(index);
  return rest === '' ? blocks : [...blocks, { text: rest, marked: false }];
}

/**
 * The last border, and those before it with which the least is read anew on average when the first change falls anywhere.
 * That is the choice with the smallest sum of squared distances.
 */
function mostValuable(borders: readonly Border[], most: number): readonly Border[] {
  if (borders.length <= most) return borders;
  if (most === 0) return [];
  const place = (index: number) => (index === -1 ? 0 : (borders[index]?.bytes ?? 0));
  // best[index]: the cheapest choice of so many borders that ends with this one.
  let best = borders.map((_, index) => ({ cost: place(index) ** 2, chosen: [index] }));
  for (let count = 2; count <= most; count += 1) {
    best = borders.map((_, index) => {
      let found = best[index]!;
      for (let before = count - 2; before < index; before += 1) {
        const { cost, chosen } = best[before]!;
        const total = cost + (place(index) - place(before)) ** 2;
        if (total < found.cost) found = { cost: total, chosen: [...chosen, index] };
      }
      return found;
    });
  }
  return (best.at(-1)?.chosen ?? []).map((index) => borders[index]!);
}

/** Tokens of a text, at most as many as the provider would count. */
export type Count = (text: string) => number | Promise<number>;

/** Tokens of real text are rarely longer, so beyond this nothing needs to be counted. */
const maxBytesPerToken = 8;

/** How the text of a request is cut for a provider: in blocks with markers where it asks for them, else in one piece. */
export async function requestBlocks(
  request: ModelRequest,
  { endpoint, model, count }: { endpoint: Speaker; model: string; count: Count },
): Promise<ContentBlocks> {
  const { minimumTokens } = providerProfileFor(model);
  const { protocol } = endpoint;
  const most = markersFor(endpoint, model);
  if (most === 0 || request.cachePoints === undefined) return wholeBlocks(request);
  if (request.speakers !== undefined) return spokenBlocks(request, request.speakers, most);
  return contentBlocks(request, {
    most,
    everyPoint: protocol === 'anthropic' || protocol === 'bedrock',
    isEnough: async (text, bytes) => {
      if (bytes < minimumTokens) return false;
      return bytes >= minimumTokens * maxBytesPerToken || (await count(text)) >= minimumTokens;
    },
  });
}

/** Who is spoken to, and how. */
type Speaker = Pick<Endpoint, 'protocol' | 'cloud'>;

export function markersFor({ protocol, cloud }: Speaker, model: string): number {
  if (protocol === 'anthropic') return 4;
  // Of Anthropic's models there the older ones refuse a call with markers, as do those of others.
  if (protocol === 'bedrock') return /claude-(?!v|instant|3-(?!5-haiku|7-))/i.test(model) ? 4 : 0;
  // Whether Azure takes markers is not known; it finds prefixes by itself.
  return protocol === 'openai' && cloud === undefined ? providerProfileFor(model).markers : 0;
}

/**
 * Requests that begin alike are sent where the beginning is kept: one key for each beginning, and nothing of its text.
 */
export function cacheKeyOf({ system = '', prompt, cachePoints }: ModelRequest): string | undefined {
  const first = cachePoints?.prompt?.[0] ?? 0;
  const beginning = system === '' ? Buffer.from(prompt).subarray(0, first) : system;
  return beginning.length === 0 ? undefined : hash('sha256', beginning, 'hex').slice(0, 32);
}
