// The operation table as OpenAPI 3.1, so that what is published is what is checked.
import { type ErrorCode, errorTable } from '../../../core/model/error.js';
import { galleyVersion } from '../../../core/model/version.js';
import type { Operation } from '../../../operations/operation.js';
import { describeAnswer, type JsonSchema, requestSchema } from '../../../operations/published-schema.js';
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
    paths: Object.fromEntries(pages.map((page) => [page.path, { post: post(page) }])),
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

const eventSchema = (event: string, data: object) => ({
  type: 'object',
  required: ['event', 'data'],
  properties: {
    event: { const: event },
    data: { type: 'string', contentMediaType: 'application/json', contentSchema: data },
  },
});

const streamEvents = {
  TextEvent: eventSchema('text', {
    type: 'object',
    required: ['text'],
    properties: { text: { type: 'string' } },
  }),
  ProgressEvent: eventSchema('progress', {
    type: 'object',
    required: ['stage', 'done'],
    properties: { stage: { type: 'string' }, done: { type: 'number' }, total: { type: 'number' } },
  }),
  ErrorEvent: eventSchema('error', component('Error')),
};

function eventsOf(answer: object) {
  return {
    type: 'array',
    description: 'Events in order: any number of text and progress, then exactly one result or error.',
    items: {
      oneOf: [
        component('TextEvent'),
        component('ProgressEvent'),
        eventSchema('result', answer),
        component('ErrorEvent'),
      ],
    },
  };
}

function post({ operation, schema }: OperationPage): Record<string, unknown> {
  const { id, summary, grant, errors } = operation;
  const answer = component(answerName(id));
  return {
    operationId: operationName(id),
    summary,
    tags: [id.split(':')[0]],
    'x-galley-operation': id,
    'x-galley-grant': grant,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      200: {
        description:
          'The answer; as server-sent events (text, progress, result, error) when those are accepted.',
        content: {
          'application/json': { schema: answer },
          'text/event-stream': { schema: eventsOf(answer) },
        },
      },
      ...refusals([...alwaysPossible, ...errors]),
    },
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
        content: {
          'application/json': {
            schema: { allOf: [{ $ref: '#/components/schemas/Error' }, errorSchema(some)] },
          },
        },
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
        required: ['code', 'message'],
        properties: {
          code: { enum: [...new Set(codes)] },
          message: { type: 'string' },
          details: { type: 'object' },
        },
      },
    },
  };
}

/** Where an operation lives: context:budget:get is /v1/context/budget/get. */
export function operationPath(id: string): string {
  return `/v1/${id.replaceAll(':', '/')}`;
}
