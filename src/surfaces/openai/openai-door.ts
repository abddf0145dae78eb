// galley serve --openai: any chat client that speaks OpenAI's protocol, behind the access, limits and log of the server.
import { randomUUID } from 'node:crypto';
import { admitCaller, answerCall, type CallForm } from '../http/answer-call.js';
import type { DoorRoute } from '../http/door-route.js';
import type { ServerState } from '../http/server-state.js';
import { type ChatDefaults, chatTarget, listTargets } from './chat-target.js';
import { openAiRefusal } from './openai-refusal.js';
import { readChat } from './read-chat.js';
import { type CompletionFacts, openChunkStream, writeCompletion } from './write-completion.js';

export function openAiDoor(defaults: ChatDefaults): readonly DoorRoute[] {
  return [
    {
      ...{ method: 'POST', path: '/v1/chat/completions', name: 'chat:complete' },
      answer: (exchange, state) =>
        answerCall({ id: 'chat:complete', as: chatForm(defaults, state) }, exchange, state),
      refuse: openAiRefusal,
    },
    {
      ...{ method: 'GET', path: '/v1/models', name: 'chat:models' },
      answer: async (exchange, state) => {
        const place = { store: state.options.store, here: defaults.here };
        const names = await listTargets(await admitCaller(exchange, state), place);
        const data = names.map((id) => ({ id, object: 'model', created: 0, owned_by: 'galley' }));
        return { kind: 'json', json: JSON.stringify({ object: 'list', data }) };
      },
      refuse: openAiRefusal,
    },
  ];
}

/** Of one call: what was read of it is needed again when it is answered. */
function chatForm(defaults: ChatDefaults, { options: { now, store } }: ServerState): CallForm {
  let facts: CompletionFacts | undefined;
  const known = (): CompletionFacts =>
    facts ?? { id: '', created: 0, model: '', includeUsage: false, ignored: [] };
  return {
    async read(body, { incoming, caller }) {
      const { model, isStream, includeUsage, fields, ignored } = readChat(body);
      const target = await chatTarget({ model, headers: incoming.headers }, caller, { defaults, store });
      const created = Math.floor(now() / 1000);
      facts = { id: `chatcmpl-${randomUUID()}`, created, model, includeUsage, ignored };
      return { request: { ...fields, ...target }, wantsEvents: isStream };
    },
    open: (outgoing, limits, headers) => openChunkStream(outgoing, limits, { headers, facts: known() }),
    write: (answer) => writeCompletion(answer, known()),
  };
}
