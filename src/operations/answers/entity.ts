import * as z from 'zod';
import type { Entity } from '../../store/tables/entities.js';
import { answer } from './answer.js';
import { noun } from './noun.js';
import { count, milliseconds } from './numbers.js';

export const inclusion = z.enum(['always', 'detected', 'manual', 'never']);

const entityObject = noun(
  'Entity',
  z.strictObject({
    id: z.string(),
    name: z.string(),
    aliases: z.array(z.string()),
    kind: z.string(),
    description: z.string(),
    inclusion: inclusion.describe('when it comes into a context'),
    neverTrimmed: z.boolean(),
    facts: z.array(
      z.strictObject({
        text: z.string(),
        from: z.number().optional().describe('first chapter in which it holds'),
        until: z.number().optional().describe('last chapter in which it holds'),
      }),
    ),
    secrets: z.array(
      z.strictObject({
        text: z.string(),
        hiddenUntil: z.number().describe('hidden in every chapter before this one'),
      }),
    ),
    relations: z.array(z.strictObject({ to: z.string(), label: z.string() })),
    damaged: z
      .array(z.string())
      .optional()
      .describe('fields whose stored form could not be read; they are empty here'),
    version: count,
    updatedAt: milliseconds,
  }),
);

export const entity = answer<Entity>()(entityObject);

export interface EntityList {
  readonly entities: readonly Entity[];
}

export const entityList = answer<EntityList>()(z.strictObject({ entities: z.array(entityObject) }));
