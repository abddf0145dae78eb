// GitHub's GraphQL: the query is judged by the real schema and carried out by it. What the schema has and this stand-in has not is
// a defect, never a silent null.
import { readFile } from 'node:fs/promises';
import type { ExecutionResult, GraphQLError, GraphQLFieldResolver, GraphQLSchema } from 'graphql';
import type { HostSetup } from '../host/host.js';
import { packageData } from '../host/package-data.js';
import type { Answer, Exchange } from '../host/request.js';
import { graphqlRoot, refuse, typeOf } from './graphql-root.js';

let loading: Promise<{ schema: GraphQLSchema; graphql: typeof import('graphql') }> | undefined;

/** A second of work, so only for those who ask. */
function load() {
  loading ??= (async () => {
    const graphql = await import('graphql');
    const text = await readFile(await packageData('@octokit/graphql-schema', 'schema.graphql'), 'utf8');
    const options = { assumeValid: true, assumeValidSDL: true, noLocation: true };
    return { graphql, schema: graphql.buildSchema(text, options) };
  })();
  return loading;
}

export async function answerGraphql(setup: HostSetup, exchange: Exchange): Promise<Answer> {
  const { query, variables } = (exchange.body ?? {}) as {
    query?: unknown;
    variables?: Record<string, unknown>;
  };
  const failed = (errors: readonly unknown[]): Answer => ({ status: 200, body: { errors } });
  if (typeof query !== 'string')
    return failed([{ message: 'A query attribute must be specified and must be a string.' }]);
  const { graphql, schema } = await load();
  let document: ReturnType<typeof graphql.parse>;
  try {
    document = graphql.parse(query);
  } catch (error) {
    return failed([{ message: (error as Error).message }]);
  }
  const invalid = graphql.validate(schema, document);
  if (invalid.length > 0) return failed(invalid.map((error) => error.toJSON()));
  const result = await graphql.execute({
    schema,
    document,
    variableValues: variables ?? {},
    rootValue: graphqlRoot(setup, exchange),
    fieldResolver: resolver(setup),
  });
  return { status: 200, body: shown(result) };
}

function resolver({ defect }: HostSetup): GraphQLFieldResolver<Record<string, unknown>, unknown> {
  return (source, args, context, info) => {
    if (!(info.fieldName in source)) {
      const name = `${info.parentType.name}.${info.fieldName}`;
      defect(`GraphQL field ${name} is not there.`);
      throw refuse('NOT_MODELLED', `The loopback forge has no ${name}.`);
    }
    const value = source[info.fieldName];
    return typeof value === 'function' ? value.call(source, args, context, info) : value;
  };
}

function shown({ data, errors }: ExecutionResult): Record<string, unknown> {
  if (errors === undefined) return { data };
  return { ...(data === undefined ? {} : { data }), errors: errors.map(shownError) };
}

function shownError(error: GraphQLError): Record<string, unknown> {
  const type = typeOf(error.originalError);
  return { ...(type === undefined ? {} : { type }), ...error.toJSON() };
}
