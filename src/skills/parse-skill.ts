// How does a SKILL.md become a skill? Two forms: prompt templates in the front matter, or a Markdown body as instructions.
import { isProjectRelative } from '../core/model/fragment.js';
import { type FrontMatter, splitFrontMatter } from './front-matter.js';
import {
  type ContextRules,
  contextRulesJson,
  readContextRules,
  readRecipe,
  type Skill,
  type SkillForm,
  type SkillOutput,
  type SkillPrompt,
  skillOutputs,
} from './skill.js';
import { invalidField, readSkillText, type SkillPatterns, skillLimits } from './skill-limits.js';

export function parseSkill(source: string | Uint8Array, options: { path?: string } = {}): Skill {
  const matter = splitFrontMatter(readSkillText(source).text);
  const { path } = options;
  if (path !== undefined && !isProjectRelative(path)) {
    throw invalidField('path', 'must be relative to the project and stay inside it.');
  }
  const name = readLine(matter, 'name', skillLimits.name);
  if (name === undefined) throw invalidField('name', 'is missing; give the skill a name.');
  const metadata = readMetadata(matter);
  const contextRules = readRules(matter, metadata);
  const recipe = readRecipe(matter.fields.get('recipe'), metadata.recipe);
  const budgetTokens = readBudget(matter, metadata);
  const { form, prompt, body } = readPrompt(matter);
  return {
    id: skillIdOf(name, path),
    name,
    description: readDescription(matter),
    form,
    contextRules,
    recipe,
    prompt,
    body,
    metadata,
    output: readOutput(matter, metadata),
    ...(budgetTokens === undefined ? {} : { budgetTokens }),
    ...(path === undefined ? {} : { path }),
  };
}

function readLine(matter: FrontMatter, field: string, limit: SkillPatterns): string | undefined {
  const value = matter.fields.get(field);
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw invalidField(field, 'must be text; put it in quotation marks.');
  const text = value.trim();
  if (text === '') return undefined;
  if ([...text].length > limit.max) throw invalidField(field, `must have at most ${limit.max} characters.`);
  if (limit.refuse.test(text))
    throw invalidField(field, 'must not contain line breaks or control characters.');
  return text;
}

function readDescription(matter: FrontMatter): string {
  const description = readLine(matter, 'description', skillLimits.description);
  if (description === undefined && !matter.fields.has('prompt')) {
    throw invalidField(
      'description',
      'is missing; say in a sentence what the skill does and when to use it.',
    );
  }
  return description ?? '';
}

function readPrompt(matter: FrontMatter): { form: SkillForm; prompt: SkillPrompt; body: string } {
  const body = matter.body.trim();
  const prompt = matter.fields.get('prompt');
  if (prompt === undefined) {
    if (body === '') throw invalidField('prompt', 'is missing and the body is empty; write one of the two.');
    return { form: 'plain', prompt: { system: body, user: '{{text}}' }, body };
  }
  if (typeof prompt !== 'object' || prompt === null || Array.isArray(prompt)) {
    throw invalidField('prompt', 'must be a mapping with `system` and `user`.');
  }
  for (const [key, value] of Object.entries(prompt)) {
    if (key !== 'system' && key !== 'user')
      throw invalidField(`prompt.${key}`, 'unknown field; use `system` and `user`.');
    if (typeof value !== 'string' || value.trim() === '')
      throw invalidField(`prompt.${key}`, 'must be text.');
  }
  const { system, user } = prompt as { system?: string; user?: string };
  if (system === undefined && user === undefined) throw invalidField('prompt', 'needs `system` or `user`.');
  const texts = { system: (system ?? body).trim(), user: (user ?? '{{text}}').trim() };
  return { form: system === undefined ? 'plain' : 'template', prompt: texts, body };
}

function readMetadata(matter: FrontMatter): Readonly<Record<string, string>> {
  const value = matter.fields.get('metadata');
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw invalidField('metadata', 'must be a mapping.');
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key,
      typeof entry === 'string' ? entry : JSON.stringify(entry),
    ]),
  );
}

function readRules(matter: FrontMatter, metadata: Readonly<Record<string, string>>): ContextRules {
  const inMetadata = metadata.context_rules;
  const nested = inMetadata === undefined ? undefined : readJsonRules(inMetadata);
  if (!matter.fields.has('context_rules')) return nested ?? readContextRules({});
  const rules = readContextRules(matter.fields.get('context_rules'));
  if (nested !== undefined && contextRulesJson(nested) !== contextRulesJson(rules)) {
    throw invalidField('metadata.context_rules', 'differs from `context_rules`; keep one of the two.');
  }
  return rules;
}

function readJsonRules(json: string): ContextRules {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw invalidField('metadata.context_rules', 'must be a JSON object in one string.', { cause });
  }
  return readContextRules(value, 'metadata.context_rules');
}

function readBudget(matter: FrontMatter, metadata: Readonly<Record<string, string>>): number | undefined {
  const nested = metadata.budget_tokens;
  const value = matter.fields.get('budget_tokens') ?? (nested === undefined ? undefined : Number(nested));
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1) {
    throw invalidField('budget_tokens', 'must be a whole number of 1 or more.');
  }
  return value;
}

function readOutput(matter: FrontMatter, metadata: Readonly<Record<string, string>>): SkillOutput {
  const value = matter.fields.get('output') ?? metadata.output ?? 'prose';
  const found = skillOutputs.find((output) => output === value);
  if (found === undefined) throw invalidField('output', `must be one of ${skillOutputs.join(', ')}.`);
  return found;
}

const maxIdLength = 64;

function slugOf(name: string): string {
  const words = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-+/, '');
  return [...words].slice(0, maxIdLength).join('').replace(/-+$/, '');
}

/** Under which id is a skill found? Its folder or file name when there is one, else its name; Chinese is kept. */
function skillIdOf(name: string, path?: string): string {
  const id = slugOf(path === undefined ? name : (fileWord(path) ?? name)) || slugOf(name);
  if (id === '') throw invalidField('name', 'it needs at least one letter or digit.');
  return id;
}

function fileWord(path: string): string | undefined {
  const parts = path.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
  const file = parts.at(-1);
  if (file === undefined) return undefined;
  if (/^skill\.md$/i.test(file)) return parts.at(-2);
  return file.replace(/(?:\.skill)?\.(?:md|markdown)$/i, '');
}
