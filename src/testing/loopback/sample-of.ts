// The smallest value a JSON Schema (or Gemini's dialect of it) accepts, as far as models are held to schemas.
import { type JsonObject, objectOf, objectsOf } from './json-object.js';

export function sampleOf(schema: JsonObject, root: JsonObject = schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (typeof schema.$ref === 'string') return sampleOf(referenced(schema.$ref, root), root);
  const [choice] = objectsOf(schema.anyOf ?? schema.oneOf);
  if (choice !== undefined) return sampleOf(choice, root);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (typeof type === 'string' ? type.toLowerCase() : 'object') {
    case 'string':
      return 'loopback'.padEnd(Number(schema.minLength ?? 0), '.');
    case 'integer':
    case 'number':
      return Number(schema.minimum ?? Number(schema.exclusiveMinimum ?? 0) + 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array': {
      const items = objectOf(schema.items) ?? { type: 'string' };
      return Array.from({ length: Number(schema.minItems ?? 1) }, () => sampleOf(items, root));
    }
    default: {
      const properties = Object.entries(objectOf(schema.properties) ?? {});
      return Object.fromEntries(properties.map(([name, one]) => [name, sampleOf(objectOf(one) ?? {}, root)]));
    }
  }
}

function referenced(pointer: string, root: JsonObject): JsonObject {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<JsonObject>((at, step) => objectOf(at[step]) ?? {}, root);
}
