// How the text of a request is cut for a provider: in blocks with markers where it asks for them, else in one piece.
import { providerProfileFor } from '../catalog/provider-profiles.js';
import type { ModelRequest } from '../model.js';
import { type ContentBlocks, contentBlocks, wholeBlocks } from './content-blocks.js';
import type { Protocol } from './endpoint.js';

/** Tokens of a text, at most as many as the provider would count. */
export type Count = (text: string) => number | Promise<number>;

/** Tokens of real text are rarely longer, so beyond this nothing needs to be counted. */
const mostBytesPerToken = 8;

export async function requestBlocks(
  request: ModelRequest,
  { protocol, model, count }: { protocol: Protocol; model: string; count: Count },
): Promise<ContentBlocks> {
  const { minimumTokens } = providerProfileFor(model);
  const most = markersFor(protocol, model);
  if (most === 0 || request.cachePoints === undefined) return wholeBlocks(request);
  return contentBlocks(request, {
    most,
    isEnough: async (text, bytes) => {
      if (bytes < minimumTokens) return false;
      return bytes >= minimumTokens * mostBytesPerToken || (await count(text)) >= minimumTokens;
    },
  });
}

export function markersFor(protocol: Protocol, model: string): number {
  if (protocol === 'anthropic') return 4;
  return protocol === 'openai' ? providerProfileFor(model).markers : 0;
}
