// Reads request bodies: never more than one may have, never more at once than all may have together.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { GalleyError } from '../../../core/model/error.js';

export interface BodyLimits {
  readonly bodyBytes: number;
  /** Of all bodies being read or worked on. */
  readonly allBodyBytes: number;
}

export interface Body {
  readonly bytes: Buffer;
  /** Gives the room back. */
  release(): void;
}

export interface BodyRoom {
  /** Who asked before sending is told to go on, now that nothing speaks against it. */
  read(incoming: IncomingMessage, outgoing: ServerResponse): Promise<Body>;
}

export function createBodyRoom({ bodyBytes, allBodyBytes }: BodyLimits): BodyRoom {
  let used = 0;
  return {
    async read(incoming, outgoing) {
      const { 'content-length': length = 0, expect } = incoming.headers;
      if (Number(length) > bodyBytes) throw tooLarge(bodyBytes);
      if (expect !== undefined) outgoing.writeContinue();
      let size = 0;
      const release = () => {
        used -= size;
        size = 0;
      };
      const take = (more: number) => {
        size += more;
        used += more;
        if (size > bodyBytes) throw tooLarge(bodyBytes);
        if (used > allBodyBytes) throw full();
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

function full(): GalleyError {
  return new GalleyError('CONTEXT_BACKPRESSURE', 'Too many large requests at once; try again in a moment.');
}
