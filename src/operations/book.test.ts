// What is said of the requests about a whole book.
import { expect, it } from 'vitest';
import { bookCheck } from './book.js';
import { requestSchema } from './describe-schema.js';
import { entitiesPropose } from './propose.js';

it.each([bookCheck, entitiesPropose])(
  'promises no configured model where leaving it out asks none: $id',
  (operation) => {
    expect(requestSchema(operation.input)).toMatchObject({
      properties: { model: { description: 'provider/name; no model is asked when left out' } },
    });
  },
);
