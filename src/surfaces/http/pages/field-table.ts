// The fields of a schema as a table for people: what each is called, of what type it is, and what it means.
import type { JsonSchema } from '../../../operations/describe-schema.js';

interface Field {
  /** With the fields it lies in: `budget.tokens`, `linter[].path`. */
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isOptional: boolean;
}

export function fieldTable(schema: JsonSchema): string {
  const forms = variantsOf(schema);
  if (forms.length > 1)
    return forms
      .map((form, index) => `<p>${index === 0 ? 'Either' : 'Or'}</p>\n${fieldTable(form)}`)
      .join('\n');
  const fields = fieldsOf(schema, '');
  if (fields.length === 0) return `<p>${typeWords(schema)}</p>`;
  const rows = fields.map(
    ({ name, schema: field, isOptional }) =>
      `<tr><th scope="row"><code>${safe(name)}</code></th><td>${typeWords(field)}${isOptional ? ', optional' : ''}</td><td>${safe(about(field))}</td></tr>`,
  );
  return `<table>
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">What it is</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`;
}

function fieldsOf(schema: JsonSchema, prefix: string): Field[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(Object(schema.properties) as Record<string, JsonSchema>).flatMap(([name, field]) => {
    const own = { name: prefix + name, schema: field, isOptional: !required.includes(name) };
    const isList = isSchema(field.items);
    const inside = isList ? (field.items as JsonSchema) : field;
    return [own, ...fieldsOf(inside, `${prefix}${name}${isList ? '[]' : ''}.`)];
  });
}

function about({ description, default: preset }: JsonSchema): string {
  const words = typeof description === 'string' ? description : '';
  if (preset === undefined) return words;
  return `${words}${words === '' ? '' : '; '}${JSON.stringify(preset)} when left out`;
}

const variantsOf = ({ oneOf, anyOf }: JsonSchema): readonly JsonSchema[] =>
  (oneOf ?? anyOf ?? []) as readonly JsonSchema[];

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

function typeWords(schema: JsonSchema): string {
  const { $ref, type, items, const: value, enum: choices, additionalProperties } = schema;
  if (typeof $ref === 'string') {
    const noun = $ref.slice($ref.lastIndexOf('/') + 1);
    return `<a href="#${noun}">${noun}</a>`;
  }
  if (value !== undefined) return `<code>${safe(JSON.stringify(value))}</code>`;
  if (Array.isArray(choices))
    return choices.map((choice) => `<code>${safe(String(choice))}</code>`).join(', ');
  const variants = variantsOf(schema);
  if (variants.length > 0) return variants.map(typeWords).join(' or ');
  if (isSchema(items)) return `list of ${typeWords(items)}`;
  if (isSchema(additionalProperties)) return `names with ${typeWords(additionalProperties)}`;
  return safe(Array.isArray(type) ? type.join(' or ') : String(type ?? 'anything'));
}

export function safe(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
