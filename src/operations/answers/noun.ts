// Things that several answers hold have a name in what is published, and are described once under it.
import * as z from 'zod';

/** Of our own, so that names of an application that uses the same library stay its own. */
export const nouns = z.registry<{ id: string }>();

export function noun<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  nouns.add(schema, { id });
  return schema;
}
