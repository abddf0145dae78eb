// galley.config.json, .yaml or .yml at the root of the tree that may be trusted; a pull request cannot change its own review.
import { GalleyError } from '../../core/model/error.js';
import { nearestWord } from '../../core/model/nearest-word.js';
import type { Repository } from '../../git/repository/open-repository.js';
import { readTreeFiles } from '../prune/project-file.js';
import { type ReviewConfig, reviewConfig } from './review-config.js';

const names = ['galley.config.json', 'galley.config.yaml', 'galley.config.yml'];

export async function readConfig(repository: Repository, tree: string): Promise<ReviewConfig> {
  const files = await readTreeFiles(repository, tree, names);
  const present = names.filter((name) => files.has(name));
  if (present.length > 1) throw invalid(present.join(', '), 'there are several; keep one');
  const [name] = present;
  return name === undefined ? {} : parseConfig(name, files.get(name)?.text ?? '');
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
    throw invalid(name, `"${key}" is not a known key${advice}`, { field: key });
  }
  const field = issue?.path.join('.') || 'the file';
  const expected = issue?.code === 'invalid_type' ? `, expected ${issue.expected}` : '';
  throw invalid(name, `${field} is not valid${expected}`, { field });
}

function readJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    throw invalid(name, 'it is not valid JSON', { cause });
  }
}

async function readYaml(name: string, text: string): Promise<unknown> {
  // Most repositories have none, and it takes longer to load than to look.
  const { parseYaml } = await import('./parse-yaml.js');
  const parsed = parseYaml(text);
  if ('problem' in parsed) throw invalid(name, parsed.problem);
  return parsed.value;
}

function invalid(
  file: string,
  problem: string,
  { field, cause }: { readonly field?: string; readonly cause?: unknown } = {},
): GalleyError {
  const details = { file, ...(field === undefined ? {} : { field }) };
  const end = problem.endsWith('?') ? '' : '.';
  return new GalleyError('CONFIG_INVALID', `${file}: ${problem}${end}`, { details, cause });
}
