// The operation table as OpenAPI 3.1, so that what is published is what is checked.
import { type ErrorCode, errorTable } from '../../../core/model/error.js';
import { galleyVersion } from '../../../core/model/version.js';
import { describeAnswer, type JsonSchema, requestSchema } from '../../../operations/describe-schema.js';
import type { Operation } from '../../../operations/operation.js';
import { findOperation, operationIds } from '../../../operations/table.js';

/** Every call may end with these: the first four by the operation, the others at the door. */
const alwaysPossible: readonly ErrorCode[] = [
  'INVALID_ARGUMENT',
  'PAYLOAD_TOO_LARGE',
  'CANCELLED',
  'INTERNAL',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'CONTEXT_BACKPRESSURE',
  'COST_CEILING_REACHED',
];

export interface OperationPage {
  readonly operation: Operation;
  readonly path: string;
  readonly schema: JsonSchema;
}

export async function operationPages(): Promise<readonly OperationPage[]> {
  return Promise.all(
    operationIds.map(async (id) => {
      const operation = (await findOperation(id)) as Operation;
      return { operation, path: operationPath(id), schema: requestSchema(operation.input) };
    }),
  );
}

export function openApi(pages: readonly OperationPage[]): Record<string, unknown> {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Galley',
      version: galleyVersion,
      description:
        'Shows what a language model would be sent, fits it to a budget, and says what was left out and why.',
    },
    servers: [{ url: '/' }],
    // Without a list of tokens the user of the machine needs none.
    security: [{ token: [] }, {}],
    paths: Object.fromEntries(pages.flatMap(pathsOf)),
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: errorSchema(Object.keys(errorTable)), ...streamEvents, ...answerSchemas(pages) },
    },
  };
}

/** `review:chunks` is `reviewChunks`. */
const operationName = (id: string) => id.replaceAll(/:(\w)/g, (_, letter: string) => letter.toUpperCase());

const answerName = (id: string) => `${operationName(`:${id}`)}Answer`;

const component = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The answer of every operation, and what several of them hold. */
function answerSchemas(pages: readonly OperationPage[]): Record<string, unknown> {
  const described = pages.map(({ operation }) => ({ id: operation.id, ...describeAnswer(operation.output) }));
  const schemas = {
    ...Object.assign({}, ...described.map(({ nouns }) => nouns)),
    ...Object.fromEntries(described.map(({ id, schema }) => [answerName(id), schema])),
  };
  return JSON.parse(JSON.stringify(schemas).replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/'));
}

/** What an event says, once its data are read as JSON. */
const eventSchema = (event: string, data: object) => ({
  type: 'object',
  required: ['event', 'data'],
  properties: {
    event: { const: event, description: 'name of the event' },
    data: { ...data, description: 'what it says, in one line of JSON' },
  },
});

const textEvent = eventSchema('text', {
  type: 'object',
  required: ['text'],
  properties: { text: { type: 'string', description: 'the next words of the model' } },
});

const progressEvent = eventSchema('progress', {
  type: 'object',
  required: ['stage', 'done'],
  properties: {
    stage: { type: 'string', description: 'what is being done' },
    done: { type: 'number', description: 'how much of it' },
    total: { type: 'number', description: 'how much there is, where that is known' },
  },
});

const agentEvent = eventSchema('agent', {
  type: 'object',
  required: ['kind'],
  properties: {
    kind: {
      type: 'string',
      description:
        'session, reasoning, tool-started, tool-ended, file-changed, refused, usage, cost, compacted, warning or end; others may come',
    },
    tool: { type: 'string', description: 'as the CLI calls it' },
    target: { type: 'string', description: 'a path in the folder, or the command' },
    outcome: { type: 'string', description: 'of a tool that ended: done, failed or refused' },
    path: { type: 'string', description: 'of a file that changed, relative to the folder' },
  },
  additionalProperties: true,
});

const streamEvents = {
  TextEvent: textEvent,
  ProgressEvent: progressEvent,
  AgentEvent: agentEvent,
  ErrorEvent: eventSchema('error', component('Error')),
};

/** Generated clients take a 200 for one type: JSON has one path, events have another. */
function pathsOf(page: OperationPage): [string, { post: object }][] {
  const { operation, path } = page;
  const { id, summary } = operation;
  const answer = component(answerName(id));
  const json = post(page, {
    operationId: operationName(id),
    summary,
    response: {
      description: 'The answer.',
      content: { 'application/json': { schema: answer } },
    },
  });
  if (operation.streams !== true) return [[path, { post: json }]];
  const events = post(page, {
    operationId: `${operationName(id)}Events`,
    summary: `${summary} As server-sent events.`,
    response: {
      description: `Any number of text and progress events (TextEvent, ProgressEvent), of an agent also what it does (AgentEvent), then one named result with the answer (${answerName(id)}) or one named error (ErrorEvent).`,
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    },
  });
  return [
    [path, { post: json }],
    [eventsPath(id), { post: events }],
  ];
}

interface PostWords {
  readonly operationId: string;
  readonly summary: string;
  readonly response: object;
}

function post(
  { operation, schema }: OperationPage,
  { operationId, summary, response }: PostWords,
): Record<string, unknown> {
  const { id, grant, errors, example } = operation;
  return {
    operationId,
    summary,
    tags: [id.split(':')[0]],
    'x-galley-operation': id,
    'x-galley-grant': grant,
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: { 200: response, ...refusals([...alwaysPossible, ...errors]) },
  };
}

function refusals(codes: readonly ErrorCode[]): Record<string, unknown> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes)) {
    const { http } = errorTable[code];
    byStatus.set(http, [...(byStatus.get(http) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, some]) => [
      status,
      {
        description: some.join(', '),
        ...(status === 429 || status === 503
          ? { headers: { 'Retry-After': { schema: { type: 'integer' } } } }
          : {}),
        content: { 'application/json': { schema: errorSchema(some) } },
      },
    ]),
  );
}

function errorSchema(codes: readonly string[]): Record<string, unknown> {
  return {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        description: 'why it was refused',
        required: ['code', 'message'],
        properties: {
          code: { enum: [...new Set(codes)], description: 'for programs' },
          message: { type: 'string', description: 'for people' },
          details: { type: 'object', description: 'such as the field it is about' },
        },
      },
    },
  };
}

/** Where an operation lives: context:budget:get is /v1/context/budget/get. */
export function operationPath(id: string): string {
  return `/v1/${id.replaceAll(':', '/')}`;
}

/** The same operation with its text and progress as events. */
export const eventsPath = (id: string): string => `${operationPath(id)}/events`;
