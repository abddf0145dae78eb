// Request bodies: JSON in UTF-8, said to be so, neither packed nor nested beyond reason; never more than one may have, never
// more at once than all may have together.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { GalleyError } from '../../../core/model/error.js';
import { deepestNesting } from '../../nesting.js';

interface BodyLimits {
  readonly bodyBytes: number;
  /** Of all bodies being read or worked on; one caller has half of it at most. */
  readonly allBodyBytes: number;
}

interface Body {
  readonly bytes: Buffer;
  /** Gives the room back. */
  release(): void;
}

export interface BodyReader {
  /** Refuses what says itself that it is too large. */
  checkLength(headers: IncomingHttpHeaders): void;
  /** Who asked before sending is told to go on, now that nothing speaks against it. */
  read(incoming: IncomingMessage, outgoing: ServerResponse, caller?: string): Promise<Body>;
}

export function createBodyReader({ bodyBytes, allBodyBytes }: BodyLimits): BodyReader {
  let used = 0;
  const usedBy = new Map<string, number>();
  const checkLength = (headers: IncomingHttpHeaders): void => {
    if (Number(headers['content-length'] ?? 0) > bodyBytes) throw tooLarge(bodyBytes);
  };
  return {
    checkLength,
    async read(incoming, outgoing, caller = '') {
      const { expect } = incoming.headers;
      checkLength(incoming.headers);
      if (expect !== undefined) outgoing.writeContinue();
      let size = 0;
      const use = (more: number) => {
        used += more;
        const mine = (usedBy.get(caller) ?? 0) + more;
        if (mine > 0) usedBy.set(caller, mine);
        else usedBy.delete(caller);
      };
      const release = () => {
        use(-size);
        size = 0;
      };
      const take = (more: number) => {
        size += more;
        use(more);
        if (size > bodyBytes) throw tooLarge(bodyBytes);
        const mine = usedBy.get(caller) ?? 0;
        if (used > allBodyBytes || (mine > size && mine > allBodyBytes / 2)) throw full();
      };
      try {
        return { bytes: await readAll(incoming, take), release };
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

/** Stops at a refusal and leaves the rest unread, so that the refusal can still be answered. */
function readAll(incoming: IncomingMessage, take: (more: number) => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const leave = () => {
      incoming.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone);
    };
    const onData = (chunk: Buffer) => {
      try {
        take(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        leave();
        incoming.pause();
        reject(error);
      }
    };
    const onEnd = () => {
      leave();
      resolve(Buffer.concat(chunks));
    };
    const onGone = () => {
      leave();
      reject(new GalleyError('CANCELLED', 'The caller went away before the request was complete.'));
    };
    incoming.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
  });
}

function tooLarge(most: number): GalleyError {
  return new GalleyError(
    'PAYLOAD_TOO_LARGE',
    `The request is larger than ${most} bytes; send less at once.`,
    {
      details: { most },
    },
  );
}

export function tooManyEntries(): GalleyError {
  return new GalleyError(
    'PAYLOAD_TOO_LARGE',
    `The request has more than ${mostEntries} keys and elements; send less at once.`,
    { details: { most: mostEntries, of: 'entries' } },
  );
}

function full(): GalleyError {
  return new GalleyError('CONTEXT_BACKPRESSURE', 'Too many large requests at once; try again in a moment.');
}

export function checkJsonHeaders(headers: IncomingHttpHeaders): void {
  const { 'content-type': type = '', 'content-encoding': packing = 'identity' } = headers;
  // Pages of other origins cannot send this type without asking first.
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type))
    throw new GalleyError('INVALID_ARGUMENT', 'Send the request as "content-type: application/json".', {
      details: { field: 'content-type' },
    });
  // What is unpacked has no size until it is too late.
  if (packing.toLowerCase() !== 'identity')
    throw new GalleyError('INVALID_ARGUMENT', 'Send the request as it is, without "content-encoding".', {
      details: { field: 'content-encoding' },
    });
}

export type JsonBody =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'broken' }
  | { readonly kind: 'deep' }
  | { readonly kind: 'crowded' };

/** Of one request: keys and elements, of all its objects and lists together. */
const mostEntries = 100_000;

/** Looked at before it is parsed: what parsing and checking cost grows with depth and entries, not with bytes. */
function excessOf(bytes: Uint8Array): 'deep' | 'crowded' | undefined {
  let entries = 0;
  let depth = 0;
  let inText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (inText) {
      if (byte === backslash) at += 1;
      else if (byte === quote) inText = false;
    } else if (byte === quote) inText = true;
    else if (byte === closedBracket || byte === closedBrace) depth -= 1;
    else if (byte === comma || byte === bracket || byte === brace) {
      entries += 1;
      if (entries > mostEntries) return 'crowded';
      if (byte !== comma) depth += 1;
      // The outermost is no nesting.
      if (depth > deepestNesting + 1) return 'deep';
    }
  }
  return undefined;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const bracket = 0x5b;
const brace = 0x7b;
const closedBracket = 0x5d;
const closedBrace = 0x7d;

export function parseJsonBody(bytes: Uint8Array): JsonBody {
  const excess = excessOf(bytes);
  if (excess !== undefined) return { kind: excess };
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return { kind: 'value', value };
  } catch {
    return { kind: 'broken' };
  }
}
