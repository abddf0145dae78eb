// What one look of the doctor found. Facts, not sentences: the same in every language.
import * as z from 'zod';

export const problems = [
  'absent',
  'missing',
  'old',
  'unanswered',
  'misconfigured',
  'no-repository',
  'none',
  'no-model',
  'blank',
  'several',
  'invalid',
  'not-yet',
  'unwritable',
  'read-only',
  'broken',
  'behind',
  'no-extension',
  'no-walls',
  'no-token',
  'no-address',
] as const;

const finding = z.strictObject({
  id: z.enum([
    'node',
    'git',
    'repository',
    'config',
    'forge',
    'store',
    'claude',
    'codex',
    'gemini',
    'keys',
    'proxy',
    'browser',
    'mcp',
  ]),
  status: z.enum(['ok', 'warn', 'fail']),
  found: z.string().optional().describe('versions and names; never values of keys, never absolute paths'),
  wanted: z.string().optional().describe('the oldest version that will do, or the rights that are needed'),
  problem: z.enum(problems).optional(),
  repair: z.string().optional().describe('a command that repairs it'),
});

export type DoctorFinding = z.output<typeof finding>;

export const doctorAnswer = z.strictObject({
  ok: z.boolean().describe('nothing that is needed is broken'),
  checks: z.array(finding),
});

/** What the doctor may look at. */
export interface Patient {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly store: string;
}
