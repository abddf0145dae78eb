// A rule of the planner: when the evidence holds, these tags, this level, this confidence. Data over a closed list of evidence, so
// that a configuration file can add some.
import * as z from 'zod';
import { GalleyError } from '../../core/model/error.js';
import { contextLevels, requestTypes } from './context-need.js';

const evidenceNames = [
  'whitespace-only',
  'comment-only',
  'directive',
  'string-only',
  'data-only',
  'code-changed',
  'imports-only',
  'logging-only',
  'no-lines',
  'large',
  'in-function',
  'in-test',
  'in-class',
  'in-type',
  'in-endpoint',
  'module-head',
  'top-level',
  'unplaced',
  'in-callback',
  'no-program',
  'unparsed',
  'touches-imports',
  'touches-logging',
  'touches-error-handling',
  'touches-concurrency',
  'touches-data-access',
  'touches-routing',
  'symbol-added',
  'symbol-removed',
  'symbol-renamed',
  'symbol-moved',
  'signature-changed',
  'structure-changed',
  'public-symbol',
  'public-added',
  'public-changed',
  'public-removed',
  'contract-changed',
  'security-words',
  'security-deeds',
  'new-file',
  'deleted-file',
  'renamed-file',
  'moved-only',
  'old-path-imported',
  'mode-changed',
  'binary',
  'test-path',
  'doc-path',
  'config-path',
  'routing-path',
  'migration-path',
  'security-path',
  'example-path',
] as const;

export type EvidenceName = (typeof evidenceNames)[number];

export const risks = ['low', 'medium', 'high'] as const;

export type Risk = (typeof risks)[number];

const name = z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/);
const evidence = z.array(z.enum(evidenceNames)).max(20);

const ruleSchema = z.strictObject({
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

const ruleListSchema = z.array(ruleSchema).max(200);

export type Rule = z.infer<typeof ruleSchema>;

/** Rules a project adds in its configuration file, checked like everything that comes from outside. */
export function projectRules(value: unknown): Rule[] {
  const parsed = ruleListSchema.safeParse(value ?? []);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = [...(issue?.path ?? [])].map(String);
  if (issue?.code === 'unrecognized_keys') path.push((issue.keys[0] ?? '').slice(0, 80));
  const field = ['rules', ...path].join('.');
  throw new GalleyError(
    'CONFIG_INVALID',
    `galley.config: ${field} is not valid; see the documented fields of a rule.`,
    {
      details: { field },
    },
  );
}
