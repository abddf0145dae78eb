// What commands print as JSON that is not the answer of an operation.
import * as z from 'zod';
import { versionedBudget } from '../../../operations/context.js';
import { answer, count } from '../../../operations/published-schema.js';
import { coverage, omissions, warningMessages, warnings } from '../../../operations/shared-answers.js';
import type { FollowedFolder } from '../../../writing/folder/follow-folder.js';
import { tokenTerms } from '../../http/access/access-tokens.js';
import type { WrittenPages } from '../review/review-command.js';
import type { ShownToken } from '../serve/token-words.js';
import type { MadeProject } from '../write/init.js';
import type { ProjectStatus } from '../write/status.js';

export const callAnswer = z
  .record(z.string(), z.unknown())
  .describe('the answer of the operation; galley schema <operation> prints its schema');

export const completionAnswer = z.strictObject({
  shell: z.enum(['bash', 'zsh', 'fish']),
  script: z.string(),
});

export const installAnswer = z.strictObject({
  path: z.string().describe('the configuration file of the client'),
  change: z.array(z.string()).describe('lines of a diff; empty when there is nothing to do'),
  written: z.boolean(),
});

const shownToken = tokenTerms.extend({
  id: z.string().describe('the first digits of its digest'),
  state: z.enum(['valid', 'expired', 'revoked']),
  createdAt: count.describe('milliseconds since 1970'),
  expiresAt: count.optional(),
  revokedAt: count.optional(),
  spent: z
    .strictObject({
      month: z.string().describe('such as 2026-11, in UTC'),
      calls: count,
      tokens: count.describe('that models read and wrote for it'),
      dollars: z.number(),
    })
    .describe('in the running month'),
});

export const tokenAnswer = answer<ShownToken>()(shownToken);
export const tokenList = answer<{ readonly tokens: readonly ShownToken[] }>()(
  z.strictObject({ tokens: z.array(shownToken) }),
);
export const madeToken = answer<ShownToken & { readonly token: string }>()(
  shownToken.extend({ token: z.string().describe('shown once, kept nowhere') }),
);

const comparedTable = z.strictObject({
  table: z.string(),
  rows: count,
  digest: z.string().describe('SHA-256 of its rows'),
  isEqual: z.boolean(),
});

export const comparedStores = z.strictObject({
  isEqual: z.boolean().describe('whether both stores hold the same; true where there is one'),
  projects: z.array(
    z.strictObject({
      project: z.string().describe('empty: what belongs to no project'),
      tables: z.array(comparedTable),
      isEqual: z.boolean(),
    }),
  ),
});

export const migratedStore = z.strictObject({ version: count.describe('of the schema') });

export const schemaAnswer = z.union([
  z.strictObject({
    operations: z.array(z.strictObject({ id: z.string(), grant: z.string(), summary: z.string() })),
    commands: z.array(z.string()).describe('commands whose --json has a schema'),
    others: z.array(z.string()),
  }),
  z.record(z.string(), z.unknown()).describe('the schema of what was named'),
]);

export const writtenPages = answer<WrittenPages>()(
  z.strictObject({
    pages: count,
    tokens: z.array(count).describe('of each page'),
    omitted: omissions,
    coverage,
    warnings,
  }),
);

const storedOnly = z
  .array(
    z.strictObject({
      kind: z.enum(['constraints', 'entities', 'memory', 'episodes', 'settings', 'skills']),
      path: z.string(),
      count,
    }),
  )
  .describe('what only the store knew, and the files it belongs in');

export const madeProject = answer<MadeProject>()(
  z.strictObject({
    project: z.string().optional().describe('absent in a dry run'),
    files: z.array(
      z.strictObject({
        kind: z.enum(['constraints', 'project', 'ignore', 'store']),
        path: z.string().optional().describe('absent outside of the folder'),
        isNew: z.boolean(),
      }),
    ),
    written: z.boolean(),
    carried: storedOnly,
    chapters: count.optional(),
  }),
);

const total = { total: count };

export const projectStatus = answer<ProjectStatus>()(
  z.strictObject({
    project: z.string(),
    chapters: z.array(
      z.strictObject({
        order: z.number(),
        title: z.string(),
        path: z.string(),
        characters: count.describe('without blanks'),
        words: count,
        index: z.enum(['current', 'changed', 'new']).describe('what retrieval knows of it'),
      }),
    ),
    characters: count,
    words: count,
    behind: count.describe('chapters that retrieval does not know as they are'),
    constraints: z.strictObject({ ...total, pinned: count }),
    entities: count,
    memory: z.strictObject({ ...total, waiting: count.describe('for confirmation') }),
    skills: z.strictObject({ ...total, own: count }),
    budget: versionedBudget,
    storedOnly,
    warnings: warningMessages,
  }),
);

export const followedFolder = answer<FollowedFolder>()(
  z.strictObject({
    chapters: count,
    changed: z.array(z.string()).describe('read anew because their text changed'),
    forgotten: z.array(z.string()),
    renamed: z
      .array(z.strictObject({ from: z.string(), to: z.string() }))
      .describe('chapters whose file has another name since'),
    constraints: count,
    entities: count,
    warnings,
  }),
);
