// A chat that somebody else holds, answered by the configured model: the caller's messages go on as they are, the context of the
// project stands beside them, and the receipt of the call is kept.
import * as z from 'zod';
import { toGalleyError, type Warning } from '../core/model/error.js';
import { textField } from '../core/model/input.js';
import { speakerRoles } from '../core/model/receipt.js';
import type { Message } from '../core/set-among.js';
import { meterForModel } from '../meters/meter-for-model.js';
import { askModel } from '../models/ask-model.js';
import type { RecordedAnswer } from '../models/cache/run-on-record.js';
import type { Model, Sampling } from '../models/contract/model.js';
import { checkMessages } from '../models/contract/placement.js';
import type { FoundCode } from '../review/find/find-code.js';
import { findRequest, findTokens } from '../review/find/find-request.js';
import { keptReceipt } from '../store/kept-receipt.js';
import type { RunStatus } from '../store/tables/runs.js';
import type { SetChat } from '../writing/chat/set-chat.js';
import { warningWords } from '../writing/layers/warnings.js';
import { defineOperation, modelErrors, type OperationContext, storeErrors } from './operation.js';
import { projectStore } from './project-store.js';
import { count, inferred, named } from './published-schema.js';
import { modelTimeouts, nameField } from './request-fields.js';
import { finish, receipt, runRecords, usage, warningMessages } from './shared-answers.js';

const mostMessages = 20_000;
/** A chat sends its context with every message, so it is small unless more is asked for. */
const usualContext = 8_000;

const message = z
  .strictObject({
    role: z.enum(speakerRoles).describe('who speaks'),
    content: z
      .union([textField(), z.array(textField()).min(1).max(1_000)])
      .describe('as it is passed on; several parts of a user stay parts'),
    name: nameField.optional().describe('of the speaker, for models that take names'),
  })
  .refine(({ role, content }) => role === 'user' || typeof content === 'string' || content.length === 1, {
    error: 'must be one text; only a user may speak in parts',
    path: ['content'],
  });

const sampling = z
  .strictObject({
    temperature: z.number().min(0).max(100).describe('how freely words are chosen'),
    topP: z.number().min(0).max(1).describe('only words within this share of probability'),
    topK: z.int().nonnegative().max(1_000_000).describe('only so many likeliest words'),
    presencePenalty: z.number().min(-100).max(100).describe('against words that were said'),
    frequencyPenalty: z.number().min(-100).max(100).describe('against words that were said often'),
    seed: z.int().describe('the same seed draws alike, where a model can'),
    stop: z.array(textField(1_000)).max(100).describe('texts that end the answer'),
    user: textField(512).describe('who asks, for the provider'),
  })
  .partial()
  .describe('how the answer is drawn; what the model cannot follow is named in the answer');

const input = z.strictObject({
  projectId: nameField,
  documentId: nameField.optional().describe('where in the book the talk is; the last chapter when left out'),
  messages: z
    .array(message)
    .min(1)
    .max(mostMessages)
    .refine((all) => all.some(({ content }) => [content].flat().join('').trim() !== ''), {
      error: 'must have words in them',
    })
    .describe('the talk so far, oldest first'),
  contextTokens: z
    .int()
    .nonnegative()
    .max(100_000_000)
    .default(usualContext)
    .describe('tokens of the context at most; 0 passes the messages on alone'),
  withCode: findTokens
    .optional()
    .describe(
      'tokens for code that code:find finds here for the last message of the user; none when left out',
    ),
  model: textField(200).optional(),
  language: z.enum(['zh', 'en']).optional().describe('of headings; that of the messages when left out'),
  later: z.enum(['none', 'marked']).default('none'),
  maxOutputTokens: z.int().positive().max(10_000_000).optional(),
  sampling: sampling.optional(),
  ...modelTimeouts,
});

type ChatRequest = z.output<typeof input>;

export const chatComplete = defineOperation({
  id: 'chat:complete',
  summary:
    'Has a model answer a chat: the messages are passed on as they are, with the context of the project beside them.',
  input,
  example: { projectId: 'novel', messages: [{ role: 'user', content: 'Who is Lin Yuan?' }] },
  streams: true,
  output: inferred(
    named(
      'ChatAnswer',
      z.strictObject({
        text: z.string(),
        finish,
        model: z.string(),
        usage: usage.optional().describe('absent when the model does not say'),
        contextTokens: count.describe('tokens that were set in beside the messages'),
        code: z
          .array(
            z.strictObject({
              path: z.string(),
              startLine: count.describe('from 1'),
              endLine: count.describe('inclusive'),
            }),
          )
          .optional()
          .describe('which lines of code stand beside them'),
        tokens: count.describe('of the whole call'),
        notApplied: z.array(z.string()).describe('settings the model could not follow'),
        receiptId: z.string().optional().describe('under which the receipt was stored'),
        receipt,
        runs: runRecords,
        warnings: warningMessages,
      }),
    ),
  ),
  grant: 'run',
  errors: [
    ...storeErrors,
    ...modelErrors,
    'CONFIG_INVALID',
    'COST_CEILING_REACHED',
    'CONTEXT_BUDGET_INFEASIBLE',
    'CONTEXT_SCOPE_VIOLATION',
    'CONTEXT_BACKPRESSURE',
  ],
  run: async (request, context) => {
    const startedAt = context.now();
    const model = await context.model(request.model);
    const messages = request.messages.map(messageOf);
    checkMessages(
      model,
      messages.map(({ words, ...speaker }) => ({ ...speaker, text: words.join('') })),
    );
    const place = await openPlace({ ...request, messages }, context, model);
    const { set } = place;
    const { sealed } = set;
    // Kept before it is sent: what a failed call was sent is known, too.
    const receiptId = await place.keep();
    const record = (status: RunStatus, facts: object) =>
      place.store.runs
        .put(request.projectId, {
          ...{ operation: 'chat:complete', status, startedAt, endedAt: context.now(), model: model.id },
          ...(request.documentId === undefined ? {} : { documentId: request.documentId }),
          metadata: { receipt: sealed.receipt.id, contextTokens: set.contextTokens, ...facts },
        })
        .catch(() => undefined);
    try {
      const { answer, record: run } = await ask(request, { model, set, context });
      await record('succeeded', { run });
      await place.remember();
      return {
        ...{ text: answer.text, finish: answer.finish, model: answer.model ?? model.id },
        ...(answer.usage === undefined ? {} : { usage: answer.usage }),
        ...{ contextTokens: set.contextTokens, tokens: sealed.receipt.used.n },
        ...(place.code === undefined ? {} : { code: [...place.code] }),
        notApplied: [...(answer.notApplied ?? [])],
        ...(receiptId === undefined ? {} : { receiptId }),
        ...{ receipt: sealed.receipt, runs: [run] },
        warnings: warningWords([...set.warnings, ...place.warnings]),
      };
    } catch (error) {
      const { code } = toGalleyError(error);
      await record(code === 'CANCELLED' ? 'cancelled' : code === 'TIMEOUT' ? 'timeout' : 'failed', { code });
      throw error;
    }
  },
});

/** The call as it will be sent, and where it is remembered. */
async function openPlace(
  request: Omit<ChatRequest, 'messages'> & { readonly messages: readonly Message[] },
  context: OperationContext,
  model: Model,
) {
  const { setChat } = await import('../writing/chat/set-chat.js');
  const { rememberSet, storeReceipt, takingTurns } = await import('../writing/context/assemble-context.js');
  const { followOwnFolder } = await import('../writing/folder/follow-folder.js');
  const { projectFolder } = await import('../writing/folder/project-folder.js');
  const { projectId, documentId } = request;
  const { signal, log } = context;
  const store = await projectStore(context, projectId);
  const folder = await projectFolder(store, projectId, context.folder);
  if (folder !== undefined) await followOwnFolder(store, projectId, folder);
  const catalog = await context.prices?.();
  const embeddings = await context.embeddings?.();
  const { found, warnings } = await codeFor(request, { context, meter: meterForModel(model.id).meter });
  const set: SetChat = await takingTurns(
    { projectId, documentId: documentId ?? 'chat' },
    { signal, log },
    (own) => setChat({ ...request, code: found }, { store, folder, signal: own, model, catalog, embeddings }),
  );
  const { receipt: value } = set.sealed;
  const isCodeIn = found !== undefined && set.sealed.receipt.layers.some(({ id }) => id === 'code');
  return {
    store,
    set,
    warnings,
    code: isCodeIn
      ? found.snippets.map(({ path, startLine, endLine }) => ({ path, startLine, endLine }))
      : undefined,
    keep: () =>
      storeReceipt(store, projectId, {
        ...{ operation: 'chat:complete', id: value.id, value: keptReceipt(value) },
        summary: { tokenCount: value.used.n, budget: value.budget.n, contextTokens: set.contextTokens },
      }),
    remember: async () => {
      if (set.context !== undefined) await rememberSet(store, projectId, set.context);
    },
  };
}

/** What stands in the repository for the last words of the user; a chat goes on without it. */
async function codeFor(
  { withCode, messages }: Pick<ChatRequest, 'withCode'> & { readonly messages: readonly Message[] },
  { context: { folder, signal }, meter }: { readonly context: OperationContext; readonly meter: string },
): Promise<{ readonly found?: FoundCode; readonly warnings: readonly Warning[] }> {
  const query = messages.findLast(({ role }) => role === 'user')?.words.join('\n') ?? '';
  if (withCode === undefined || query.trim() === '') return { warnings: [] };
  const [{ findCode }, { withoutCode }] = await Promise.all([
    import('../review/find/find-code.js'),
    import('../writing/chat/code-beside.js'),
  ]);
  try {
    const asked = { query: query.slice(-mostSought), budget: { tokens: withCode }, meter };
    const found = await findCode(findRequest.parse(asked), { folder, signal });
    const isEmpty = found.snippets.length === 0 && found.files.length === 0;
    return isEmpty ? { warnings: [withoutCode('nothing speaks for any file')] } : { found, warnings: [] };
  } catch (error) {
    const { code } = toGalleyError(error);
    if (code === 'CANCELLED') throw error;
    return { warnings: [withoutCode(code)] };
  }
}

const mostSought = 100_000;

function messageOf({ role, content, name }: ChatRequest['messages'][number]): Message {
  return { role, words: [content].flat(), ...(name === undefined ? {} : { name }) };
}

async function ask(
  request: ChatRequest,
  { model, set, context }: { model: Model; set: SetChat; context: OperationContext },
): Promise<RecordedAnswer> {
  const { timeoutMs, firstByteTimeoutMs, maxOutputTokens } = request;
  return askModel(model, set.sealed, {
    ...{ kind: 'chat', catalog: await context.prices?.(), signal: context.signal, maxOutputTokens },
    timeouts: { totalMs: timeoutMs, firstByteMs: Math.min(timeoutMs, firstByteTimeoutMs) },
    ...(request.sampling === undefined ? {} : { sampling: request.sampling as Sampling }),
    // Whoever hears the words as they come cannot be told that they are void: no second call after the first word.
    onText: (text) => context.onText?.(text),
  });
}
