// What a project may settle once for all its reviews, in a file at the root of the tree that may be trusted: a pull request cannot
// change its own review. Unknown keys are refused: a misspelt setting must not be silently inert.
import * as z from 'zod';
import { GalleyError } from '../../core/model/error.js';
import { nearestWord } from '../../core/model/nearest-word.js';
import { defaultChunkTokens, defaultMeter, followUpFields, reviewRequest } from './review-request.js';

const { shape } = reviewRequest;

/** Words that are shown as a part of a command, so they are nothing but names. */
const plainWord = /^(?!-)(?!.*::)[\w.~:/@+-]{1,300}$/;

/** A commit of another repository. It is read from the objects of this clone, wherever they came from. */
const pinned = {
  repository: z
    .string()
    .regex(plainWord, { error: 'must be a plain path or address of a repository' })
    .describe('Where it is fetched from, by hand or by a build.'),
  revision: z
    .string()
    .regex(/^(?:[\da-f]{40}|[\da-f]{64})$/, {
      error: 'must be a full commit id, as git rev-parse prints it; a branch or tag is no pin',
    })
    .describe('The full id of the commit.'),
};

const sharedConfig = z.strictObject({
  ...pinned,
  path: z
    .string()
    .regex(/^(?!-)[\w.@+-]+(?:\/[\w.@+-]+)*\.(?:json|ya?ml)$/, {
      error: 'must be a path of a .json, .yaml or .yml file',
    })
    .default('galley.config.yaml')
    .describe('The file in that commit.'),
});

export type SharedConfig = z.output<typeof sharedConfig>;

const relatedRepository = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][\w-]{1,39}$/i, { error: 'must be a short name of letters, digits, - and _' })
    .describe('As it is called beside its code.'),
  ...pinned,
});

export type RelatedRepository = z.output<typeof relatedRepository>;

const reviewConfig = z.strictObject({
  $schema: z.string().optional().describe('For editors; Galley does not read it.'),
  extends: sharedConfig
    .optional()
    .describe(
      'A shared configuration, pinned to a commit: `repository`, `revision`, `path`. What is said here comes before it, lists are joined.',
    ),
  ignore: z
    .array(z.string().max(4096))
    .max(10_000)
    .optional()
    .describe('Paths no review looks at, in the words of .gitignore; a line with ! brings files back.'),
  maxChunkTokens: shape.maxChunkTokens.describe(
    `Tokens of diff on one page; ${defaultChunkTokens.toLocaleString('en')} unless told.`,
  ),
  maxPromptTokens: shape.maxPromptTokens.describe(
    'Tokens of one whole page, with everything around the diff.',
  ),
  maxRuleTokens: shape.maxRuleTokens.describe(
    'Tokens of project rules (CLAUDE.md and the like) on one page of a review; 30,000 unless told, and more is refused.',
  ),
  maxPages: shape.maxPages.describe(
    'Pages at most; then risk decides what stays, and the coverage says what does not.',
  ),
  meter: shape.meter.describe(`What counts tokens: ${defaultMeter} unless told.`),
  skill: shape.skill.describe('A SKILL.md of the repository with instructions for the reviewer.'),
  linterScope: shape.linterScope.describe(
    'Which findings of linters are shown: those on changed lines, or all of changed files.',
  ),
  protect: shape.protect.describe('Whether a confident rule alone keeps a unit from being skipped.'),
  coverageInPrompt: shape.coverageInPrompt.describe('Whether the pages themselves say what was left out.'),
  wholeData: shape.wholeData.describe(
    'Whether drawings, encoded bytes, tables and snapshots are shown whole instead of in part, with counts.',
  ),
  lockfileSummary: shape.lockfileSummary.describe('Whether lockfiles are summed up: package, from, to.'),
  followUps: followUpFields.followUps.describe(
    'How often the reviewer of a page may ask for code it does not show: once unless told, and never for agent CLIs.',
  ),
  followUpTokens: followUpFields.followUpTokens.describe(
    'Tokens of what is served to one page: 8,000 unless told, and never more than the page has.',
  ),
  related: z
    .array(relatedRepository)
    .max(10)
    .optional()
    .describe(
      'Other repositories, each pinned to a commit: `name`, `repository`, `revision`. What a change uses of them is shown beside it, as they declare it.',
    ),
  rules: z
    .array(z.record(z.string(), z.unknown()))
    .max(1000)
    .optional()
    .describe(
      'Own rules of the planner, added to the built-in ones; what a built-in rule settles, an own rule overrides, and one with the same id replaces it.',
    ),
});

export type ReviewConfig = z.output<typeof reviewConfig>;

/** For editors. */
export function reviewConfigSchema(): unknown {
  return z.toJSONSchema(reviewConfig);
}

export async function parseConfig(name: string, text: string): Promise<ReviewConfig> {
  const parsed = reviewConfig.safeParse(
    name.endsWith('.json') ? readJson(name, text) : await readYaml(name, text),
  );
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const key = (issue.keys[0] ?? '').slice(0, 80);
    const meant = nearestWord(key, Object.keys(reviewConfig.shape));
    const advice = meant === undefined ? '' : `; did you mean "${meant}"?`;
    throw invalidConfig(name, `"${key}" is not a known key${advice}`, { field: key });
  }
  const field = issue?.path.join('.') || 'the file';
  // Only these fields have words of their own for what they must be.
  if (issue?.code === 'invalid_format' && (issue.path[0] === 'extends' || issue.path[0] === 'related'))
    throw invalidConfig(name, `${field} ${issue.message}`, { field });
  const expected = issue?.code === 'invalid_type' ? `, expected ${issue.expected}` : '';
  throw invalidConfig(name, `${field} is not valid${expected}`, { field });
}

function readJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    throw invalidConfig(name, 'it is not valid JSON', { cause });
  }
}

async function readYaml(name: string, text: string): Promise<unknown> {
  // Most repositories have none, and it takes longer to load than to look.
  const { parseYaml } = await import('./parse-yaml.js');
  const parsed = parseYaml(text);
  if ('problem' in parsed) throw invalidConfig(name, parsed.problem);
  return parsed.value;
}

export function invalidConfig(
  file: string,
  problem: string,
  { field, cause }: { readonly field?: string; readonly cause?: unknown } = {},
): GalleyError {
  const details = { file, ...(field === undefined ? {} : { field }) };
  const end = problem.endsWith('?') ? '' : '.';
  return new GalleyError('CONFIG_INVALID', `${file}: ${problem}${end}`, { details, cause });
}
