// A rule of the planner: when the evidence holds, these tags, this level, this confidence. Data, so that a config file can add some.
import * as z from 'zod';
import { contextLevels } from '../plan/context-level.js';
import { requestTypes } from '../plan/extra-request.js';
import { evidenceNames } from './evidence.js';

export const risks = ['low', 'medium', 'high'] as const;

export type Risk = (typeof risks)[number];

const name = z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/);
const evidence = z.array(z.enum(evidenceNames)).max(20);

export const ruleSchema = z.strictObject({
  id: name,
  tags: z.array(name).max(10),
  /** Absent on rules that only add tags or raise the risk. */
  level: z.enum(contextLevels).optional(),
  confidence: z.number().min(0).max(1).optional(),
  risk: z.enum(risks).optional(),
  reason: z.string().max(300).optional(),
  extra_requests: z.array(z.enum(requestTypes)).max(8).optional(),
  /** Nothing but this changed: its level stands, whatever other rules propose. */
  settles: z.boolean().optional(),
  when: z.strictObject({
    /** Patterns as in .gitignore; one must match. */
    paths: z.array(z.string().min(1).max(300)).max(50).optional(),
    all: evidence.optional(),
    any: evidence.optional(),
    none: evidence.optional(),
  }),
});

export const ruleListSchema = z.array(ruleSchema).max(200);

export type Rule = z.infer<typeof ruleSchema>;
