// One call over HTTP: who, how often, how large, what about, which files; then the operation itself, as JSON or as events.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { GalleyError } from '../../core/model/error.js';
import type { AgentEvent } from '../../models/contract/agent-event.js';
import { call } from '../../operations/call.js';
import type { Operation, OperationContext } from '../../operations/operation.js';
import { type SpendingAccount, spendCall, withSpending } from '../../operations/spending-model.js';
import { findOperation } from '../../operations/table.js';
import { type Caller, callerOfPage, identify } from './access/access-tokens.js';
import { type ConfinedCall, callsIn, confineFiles, confineProject } from './access/confine.js';
import { type EventStream, type EventStreamLimits, openEventStream } from './event-stream.js';
import { checkJsonHeaders, parseJsonBody, tooManyEntries } from './limits/request-body.js';
import { operationPath } from './pages/open-api.js';
import type { ServeOptions } from './serve-options.js';
import type { ServerState } from './server-state.js';
import { placeOfCall, tracedModel, traceOfCall, withSpan } from './telemetry.js';

export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Sent with every answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Told as soon as it is known, for the log. */
  onCaller(caller: Caller): void;
}

/** What a path answers with, where the request does not ask for the other. */
export type AnswerForm = 'json' | 'events';

/** `sent`: the answer went out as events; a refusal among them is handed back to be counted. */
export type CallOutcome =
  | { readonly kind: 'json'; readonly json: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: 'sent'; readonly refusal?: unknown };

/** How a door speaks of an operation: what it makes of a body, and of an answer. */
export interface CallForm {
  read(
    body: unknown,
    asked: { readonly incoming: IncomingMessage; readonly caller: Caller },
  ): Promise<{ readonly request: unknown; readonly wantsEvents: boolean }>;
  open(
    outgoing: ServerResponse,
    limits: EventStreamLimits,
    headers: Readonly<Record<string, string>>,
  ): EventStream;
  write(answer: unknown): Omit<Extract<CallOutcome, { kind: 'json' }>, 'kind'>;
}

const plainForm = (as: AnswerForm): CallForm => ({
  read: async (request, { incoming }) => ({
    request,
    wantsEvents: as === 'events' || (incoming.headers.accept ?? '').includes('text/event-stream'),
  }),
  open: openEventStream,
  write: (answer) => ({ json: JSON.stringify(answer) ?? 'null' }),
});

export async function answerCall(
  { id, as }: { readonly id: string; readonly as: AnswerForm | CallForm },
  exchange: Exchange,
  state: ServerState,
): Promise<CallOutcome> {
  const form = typeof as === 'string' ? plainForm(as) : as;
  const { incoming, outgoing } = exchange;
  const caller = await admitCaller(exchange, state);
  checkJsonHeaders(incoming.headers);
  const body = await state.bodies.read(incoming, outgoing, caller.mark);
  try {
    const { request, wantsEvents } = await form.read(parseBody(body.bytes), { incoming, caller });
    const operation = (await findOperation(id)) as Operation;
    const calls = await callsIn(operation, request);
    for (const { operation, request } of calls) confineProject(operation, request, caller);
    return await perform(operation, { ...exchange, caller, request, calls, wantsEvents, form }, state);
  } finally {
    body.release();
  }
}

/** Its family; what waits for models stands apart from it, or a turn of an agent would keep everybody from looking at sessions. */
function groupOf({ id, grant }: Operation): string {
  const [family = id] = id.split(':');
  return grant === 'run' ? `${family} with models` : family;
}

/** Who calls; refuses strangers, and those who call too often. */
export async function admitCaller(
  { incoming, onCaller }: Exchange,
  { options, rate, isClosing }: ServerState,
): Promise<Caller> {
  if (isClosing)
    throw new GalleyError('CONTEXT_BACKPRESSURE', 'The server is closing; try again in a moment.');
  let caller: Caller;
  try {
    caller =
      callerOfPage(incoming, options.page) ??
      (await identify(incoming.headers.authorization, options.tokens));
  } catch (error) {
    rate.take('strangers');
    throw error;
  }
  onCaller(caller);
  rate.take(caller.mark);
  return caller;
}

export function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  const body = parseJsonBody(bytes);
  if (body.kind === 'value') return body.value;
  if (body.kind === 'crowded') throw tooManyEntries();
  throw new GalleyError(
    'INVALID_ARGUMENT',
    body.kind === 'deep' ? 'The body is nested too deeply.' : 'The body is not valid JSON in UTF-8.',
  );
}

async function perform(
  operation: Operation,
  exchange: Exchange & {
    caller: Caller;
    request: unknown;
    calls: readonly ConfinedCall[];
    wantsEvents: boolean;
    form: CallForm;
  },
  { options, groups, folders, running }: ServerState,
): Promise<CallOutcome> {
  const { incoming, outgoing, headers, caller, request, calls, wantsEvents, form } = exchange;
  const { id } = operation;
  const cancel = cancelOnHangUp(outgoing);
  const { signal } = cancel;
  running.add(cancel);
  const span = { parent: placeOfCall(incoming.headers), route: operationPath(id) };
  const account = await accountOf(caller, options);
  let events: EventStream | undefined;
  try {
    const work = async (giveWay?: () => Promise<void>) => {
      if (account !== undefined) await admitSpending(operation, account);
      // Asks git, so it takes its turn like the work itself.
      for (const { operation, request } of calls) await confineFiles(operation, request, { caller, folders });
      if (wantsEvents) events = form.open(outgoing, options.limits, headers);
      const context = httpContext(
        { caller, signal, folder: folders.folder, events, account, giveWay },
        options,
      );
      return withSpan(operation, span, () => call(id, request, context));
    };
    const answer = await (operation.waits
      ? work()
      : groups.run(groupOf(operation), { caller, signal }, work));
    if (events === undefined) return { kind: 'json', ...form.write(answer) };
    events.result(answer);
    return { kind: 'sent' };
  } catch (refusal) {
    if (events?.error(refusal) !== true) throw refusal;
    return { kind: 'sent', refusal };
  } finally {
    running.delete(cancel);
  }
}

async function accountOf(
  { budget }: Caller,
  { store, prices }: ServeOptions,
): Promise<SpendingAccount | undefined> {
  if (budget === undefined) return undefined;
  return { store, period: 'month', catalog: await prices?.(), ...budget };
}

/** Counts the call. Programs that spend where nobody here sees it are not for those who may spend only so much. */
async function admitSpending({ id, grant }: Operation, account: SpendingAccount): Promise<void> {
  const { tokens, dollars } = account.limits;
  const isBound = tokens !== undefined || dollars !== undefined;
  if (isBound && grant === 'run' && id.startsWith('agents:'))
    throw new GalleyError(
      'FORBIDDEN',
      'This token has a limit in tokens or dollars, and what an agent program spends is not known beforehand; use a token without.',
    );
  await spendCall(account);
}

/** Aborts when the caller goes away before the answer is complete. */
function cancelOnHangUp(outgoing: ServerResponse): AbortController {
  const cancel = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) cancel.abort();
  });
  if (outgoing.destroyed) cancel.abort();
  return cancel;
}

interface HttpCall {
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly folder: string;
  /** From which the models it asks are paid. */
  readonly account?: SpendingAccount | undefined;
  /** Present when the caller wants to see the work as it goes. */
  readonly events?: EventStream | undefined;
  readonly giveWay?: (() => Promise<void>) | undefined;
}

/** What the caller was granted, and what the server shares. */
function httpContext(
  { caller, signal, folder, events, account, giveWay }: HttpCall,
  {
    debug,
    log,
    now,
    store,
    model,
    prices,
    answers,
    sessions,
    embeddings,
    forge,
    tickets,
    looks,
    page,
  }: ServeOptions,
): OperationContext {
  return {
    signal,
    folder,
    debug,
    grants: caller.grants,
    caller: caller.mark,
    budget: caller.budget,
    trace: traceOfCall,
    giveWay,
    log,
    now,
    store,
    model: async (name) => {
      const found = tracedModel(await model(name));
      return account === undefined ? found : withSpending(found, account);
    },
    ...(prices === undefined ? {} : { prices }),
    answers,
    sessions,
    tickets,
    looks,
    ...(page === undefined ? {} : { history: async () => (await page.start()).projectId }),
    ...(embeddings === undefined ? {} : { embeddings }),
    ...(forge === undefined ? {} : { forge }),
    ...(events === undefined
      ? {}
      : {
          onText: (text: string) => events.send('text', { text }),
          onEvent: (event: AgentEvent) => {
            // Its text goes out under its own name.
            if (event.kind !== 'text') events.send('agent', event);
          },
          onProgress: (progress: unknown) => events.send('progress', progress),
        }),
  };
}
