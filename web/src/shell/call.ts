// Operations over HTTP, typed as the server declares them: one answer, or text and progress on the way to it.
import type { AnswerOf, OperationId } from '../../../src/operations/table.js';
import type { PageNews } from '../../../src/review/run/review-pages.js';

export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** What the server refused, in its own words; `OFFLINE` when it did not answer at all. */
export class CallRefused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

export interface Progress {
  readonly stage: string;
  readonly done: number;
  readonly total?: number;
  /** Of a review: those that ended since the last word. */
  readonly pages?: readonly PageNews[];
}

export interface Heard {
  onText?(text: string): void;
  onProgress?(progress: Progress): void;
  onAgent?(event: { kind: string }): void;
  signal?: AbortSignal;
}

export async function call<Id extends OperationId>(
  id: Id,
  request: object,
  { signal }: Pick<Heard, 'signal'> = {},
): Promise<AnswerOf<Id>> {
  const answer = await post(`/v1/${id.replaceAll(':', '/')}`, request, signal);
  return (await answer.json()) as AnswerOf<Id>;
}

/** The same with events; the promise holds the result. */
export async function stream<Id extends OperationId>(
  id: Id,
  request: object,
  heard: Heard,
): Promise<AnswerOf<Id>> {
  const answer = await post(`/v1/${id.replaceAll(':', '/')}/events`, request, heard.signal);
  for await (const { name, data } of events(answer)) {
    if (name === 'text') heard.onText?.(data.text);
    else if (name === 'progress') heard.onProgress?.(data);
    else if (name === 'agent') heard.onAgent?.(data);
    else if (name === 'error') throw new CallRefused(data.error);
    else if (name === 'result') return data;
  }
  throw offline();
}

async function post(path: string, request: object, signal?: AbortSignal): Promise<Response> {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw offline();
  });
  if (answer.ok) return answer;
  const { error } = (await answer.json().catch(() => ({}))) as { error?: Refusal };
  throw new CallRefused(error ?? { code: 'INTERNAL', message: `HTTP ${answer.status}` });
}

const offline = () => new CallRefused({ code: 'OFFLINE', message: '' });

// biome-ignore lint/suspicious/noExplicitAny: each event has a shape of its own, told apart by its name above.
async function* events(answer: Response): AsyncGenerator<{ name: string; data: any }> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = (await reader?.read().catch(() => undefined)) ?? { value: undefined, done: true };
    if (done) return;
    rest += value;
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      // Line by line: other separators that Unicode has may stand in the text.
      const field = (label: string) =>
        block
          .split('\n')
          .find((line) => line.startsWith(label))
          ?.slice(label.length);
      const name = field('event: ');
      const data = field('data: ');
      if (name !== undefined && data !== undefined) yield { name, data: JSON.parse(data) };
    }
  }
}
