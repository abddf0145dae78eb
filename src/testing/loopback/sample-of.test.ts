import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { sampleOf } from './speak.js';

const finding = {
  type: 'object',
  properties: {
    severity: { enum: ['high', 'low'] },
    kind: { const: 'finding' },
    line: { type: 'integer', minimum: 4 },
    share: { type: 'number', exclusiveMinimum: 2 },
    title: { type: 'string', minLength: 12 },
    code: { type: 'string', maxLength: 3 },
    note: { type: ['null', 'string'] },
    choice: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
    places: { type: 'array', minItems: 2, items: { $ref: '#/$defs/place' } },
  },
  required: ['severity', 'kind', 'line', 'share', 'title', 'code', 'note', 'choice', 'places'],
  additionalProperties: false,
  $defs: { place: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } },
};
const tree = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    children: { type: 'array', items: { $ref: '#' } },
    up: { $ref: '#' },
  },
  required: ['name', 'children'],
};

it.each([
  ['every kind of field', finding],
  ['itself', tree],
])('gives what a schema of %s accepts', (_, schema) => {
  const validate = new Ajv({ allowUnionTypes: true }).compile(schema);
  expect([validate(sampleOf(schema)), validate.errors]).toEqual([true, null]);
});

it('reads the dialect of Gemini', () => {
  const schema = { type: 'OBJECT', properties: { titles: { type: 'ARRAY', items: { type: 'STRING' } } } };
  expect(sampleOf(schema)).toEqual({ titles: ['loopback'] });
});
