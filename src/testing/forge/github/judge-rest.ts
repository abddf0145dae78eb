// The stand-in judged by GitHub's own description of its REST API: a request that breaks it is refused as GitHub does, an answer that
// breaks it is a defect of ours. Names nobody knows are refused, too: GitHub would pass over them, and a misspelt one would go unseen.
import type { Ajv, ValidateFunction } from 'ajv';

export interface RestJudge {
  /** What is wrong with a request; undefined where nothing is, or where it sends nothing. */
  request(operation: string, body: unknown): string | undefined;
  /** What is wrong with an answer of ours. */
  answer(operation: string, status: number, body: unknown): string | undefined;
}

type Schema = Readonly<Record<string, unknown>>;

interface Description {
  readonly operations: Readonly<
    Record<
      string,
      { readonly request: Schema | null; readonly answers: Readonly<Record<string, Schema | null>> }
    >
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const names = 'https://api.github.com/';
let loading: Promise<RestJudge> | undefined;

/** Loaded once, when it is first asked. */
export function restJudge(): Promise<RestJudge> {
  loading ??= load();
  return loading;
}

async function load(): Promise<RestJudge> {
  const [{ Ajv: Judge }, formats, { default: read }] = await Promise.all([
    import('ajv'),
    import('ajv-formats'),
    import('./fixtures/rest-schemas.json', { with: { type: 'json' } }),
  ]);
  const description = read as unknown as Description;
  const ajv: Ajv = new Judge({ strict: false, logger: false, allErrors: false });
  formats.default.default(ajv, ['date-time', 'uri']);
  ajv.addSchema({ $id: names, components: description.components });
  const known = new Map<string, ValidateFunction>();
  const judge = (key: string, schema: Schema | null | undefined, value: unknown): string | undefined => {
    if (schema === null || schema === undefined) return undefined;
    const validate = known.get(key) ?? ajv.compile({ ...absolute(schema) });
    known.set(key, validate);
    if (validate(value)) return undefined;
    const [error] = validate.errors ?? [];
    const extra = (error?.params as { additionalProperty?: string } | undefined)?.additionalProperty;
    return `For 'properties${error?.instancePath ?? ''}', ${error?.message ?? 'invalid'}${extra === undefined ? '' : `: ${extra}`}.`;
  };
  return {
    request(operation, body) {
      const { request } = description.operations[operation] ?? {};
      return judge(`${operation} request`, request && closed(request), body);
    },
    answer(operation, status, body) {
      const of = description.operations[operation];
      if (of === undefined) return `GitHub has no ${operation}.`;
      const schema = of.answers[String(status)];
      if (schema === undefined)
        return status < 300 ? `GitHub answers ${operation} with another status.` : undefined;
      if (schema === null) return body === undefined ? undefined : `${operation} is answered with nothing.`;
      return judge(`${operation} ${status}`, schema, body);
    },
  };
}

/** References are within the description, wherever the schema itself stands. */
function absolute<Value>(value: Value): Value {
  const text = JSON.stringify(value).replaceAll('"$ref":"#/', `"$ref":"${names}#/`);
  return JSON.parse(text) as Value;
}

/** Every object takes what it names and nothing else, where the description leaves it open. */
function closed(schema: Schema): Schema {
  const inside = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inside);
    if (typeof value !== 'object' || value === null) return value;
    const copy = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inside(each)]));
    const isOpen = 'properties' in copy && copy.type === 'object' && !('additionalProperties' in copy);
    return isOpen ? { ...copy, additionalProperties: false } : copy;
  };
  return inside(schema) as Schema;
}
