// A published schema as a reader of code writes it down: one field a line, what is small in one line, things with a name by it.

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly description?: string;
}

const width = 110;

export function answerShape(schema: Schema, indent = ''): string {
  const { $ref, items, enum: choices, properties, additionalProperties, type } = schema;
  const some = schema.anyOf ?? schema.oneOf;
  if ($ref !== undefined) return $ref.slice('#/$defs/'.length);
  if (schema.const !== undefined) return JSON.stringify(schema.const).replaceAll('"', "'");
  if (choices !== undefined) return valuesOf(choices, indent);
  if (some !== undefined) return some.map((one) => answerShape(one, indent)).join(' | ');
  if (items !== undefined) return listOf(answerShape(items, indent));
  if (properties !== undefined) return objectOf(schema, indent);
  if (typeof additionalProperties === 'object') return `{ [name]: ${answerShape(additionalProperties)} }`;
  return type ?? 'any';
}

const listOf = (item: string) => (/^\w+$|^\{.*\}$/s.test(item) ? `${item}[]` : `(${item})[]`);

/** As many in a line as there is room for. */
function valuesOf(choices: readonly string[], indent: string): string {
  const lines = [''];
  for (const choice of choices) {
    const last = lines.at(-1) ?? '';
    const longer = last === '' ? `'${choice}'` : `${last} | '${choice}'`;
    if (longer.length <= width - indent.length - 20) lines[lines.length - 1] = longer;
    else lines.push(`| '${choice}'`);
  }
  return lines.join(`\n${indent}  `);
}

function objectOf({ properties = {}, required = [] }: Schema, indent: string): string {
  const fields = Object.entries(properties).map(([name, field]) => ({
    text: `${name}${required.includes(name) ? '' : '?'}: ${answerShape(field, `${indent}  `)}`,
    about: field.description,
  }));
  const line = `{ ${fields.map(({ text }) => text).join(', ')} }`;
  const isPlain = fields.every(({ about, text }) => about === undefined && !text.includes('\n'));
  if (indent !== '' && isPlain && line.length <= width - indent.length - 12) return line;
  const lines = fields.map(({ text, about }) => {
    const [first = '', ...rest] = text.split('\n');
    return [`${indent}  ${first}${about === undefined ? '' : `  // ${about}`}`, ...rest].join('\n');
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

export function nounsOf(schema: Schema): string[] {
  const found = [...JSON.stringify(schema).matchAll(/"#\/\$defs\/(\w+)"/g)].map(([, name]) => name ?? '');
  return [...new Set(found)].sort();
}
