// What a repository needs so that its pull requests are reviewed where they live: files for its host, and the variables to set there.
import { readFileSync } from 'node:fs';
import { GalleyError } from '../../../core/model/error.js';
import { galleyVersion } from '../../../core/model/version.js';
import { rowFor } from '../../../models/catalog/catalog.js';
import { endpointNamed } from '../../../models/http/endpoint.js';
import { colours } from '../terminal/colours.js';
import { word } from '../words/word.js';
import { ownSource, type ProgramSource, sourceNamed } from './own-source.js';
import { isToWrite, type ProposedFile, textAt } from './proposed-files.js';

export type CiHost = 'github' | 'gitlab' | 'gitea';

export interface CiOptions {
  readonly host: CiHost;
  readonly model?: string;
  /** False where the repository takes no pull requests of forks. */
  readonly forks?: boolean;
  /** Where the program comes from. */
  readonly from?: string;
}

export interface CiFiles {
  readonly files: readonly ProposedFile[];
  /** To be set at the host. */
  readonly secrets: readonly string[];
  /** What is left to do by hand, in lines. */
  readonly steps: readonly string[];
}

const usualModel = 'anthropic/claude-sonnet-4-5';
const shown = 60;

export async function ciFiles(root: string, options: CiOptions): Promise<CiFiles> {
  const { host } = options;
  const model = options.model ?? (process.env.GALLEY_MODEL || usualModel);
  const facts = { model, ...keyOf(model), source: await sourceOf(options) };
  const wanted = filesFor(options).map(async ([template, path]) => ({
    path,
    before: await textAt(root, path),
    content: filled(readTemplate(template), facts, path),
    about: word(`init.ci.${template}`),
    shown,
  }));
  const include = host === 'gitlab' ? await inclusion(root) : {};
  const files: ProposedFile[] = [
    ...(await Promise.all(wanted)),
    ...(include.file === undefined ? [] : [include.file]),
  ];
  const secrets = [
    ...(facts.keyNeeded ? [facts.keyVariable] : []),
    ...(host === 'gitlab' ? ['GITLAB_TOKEN'] : []),
  ];
  return {
    files,
    secrets,
    steps: [
      ...(include.step === undefined ? [] : [include.step]),
      ...(files.some(isToWrite) ? nextSteps(host, files, secrets) : []),
    ],
  };
}

function nextSteps(host: CiHost, files: readonly ProposedFile[], secrets: readonly string[]): string[] {
  return [
    ...secrets.map((name) => word(`init.ci.${host}-secret`, { name: colours.bold(name) })),
    ...(host === 'gitlab' ? [word('init.ci.gitlab-token')] : []),
    word('init.ci.commit', { files: files.map(({ path }) => path).join(' ') }),
  ];
}

type Template = 'github-answer' | 'github-plan' | 'github-review' | 'github-own' | 'gitlab' | 'gitea';

function filesFor({ host, forks }: CiOptions): readonly (readonly [Template, string])[] {
  if (host === 'gitlab') return [['gitlab', gitlabJob]];
  if (host === 'gitea') return [['gitea', '.gitea/workflows/galley.yml']];
  const answer = ['github-answer', '.github/workflows/galley-answer.yml'] as const;
  if (forks === false) return [['github-own', '.github/workflows/galley.yml'], answer];
  return [
    ['github-plan', '.github/workflows/galley.yml'],
    ['github-review', '.github/workflows/galley-review.yml'],
    answer,
  ];
}

interface KeyFacts {
  readonly keyVariable: string;
  readonly keyNeeded: boolean;
}

function keyOf(model: string): KeyFacts {
  const endpoint = /^[\w.-]+\/[\w.:@+/-]+$/.test(model) ? endpointNamed(model.split('/', 1)[0]!) : undefined;
  const [keyVariable] = endpoint?.keyVariables ?? [];
  // A cloud wants several variables, and a package that is not installed there.
  if (endpoint === undefined || endpoint.cloud !== undefined || keyVariable === undefined)
    throw new GalleyError(
      'INVALID_ARGUMENT',
      '--model: name a model of a provider that takes one key, for example anthropic/claude-sonnet-4-5; galley doctor lists the providers.',
      { details: { field: 'model' } },
    );
  return { keyVariable, keyNeeded: endpoint.keyOptional !== true };
}

async function sourceOf({ from }: CiOptions): Promise<ProgramSource> {
  const source = from === undefined ? await ownSource() : sourceNamed(from);
  if (source !== undefined) return source;
  throw new GalleyError(
    'INVALID_ARGUMENT',
    '--from: this copy of Galley does not know where it comes from; name its repository and commit, as owner/galley@<40 digits>.',
    { details: { field: 'from' } },
  );
}

interface Facts extends KeyFacts {
  readonly model: string;
  readonly source: ProgramSource;
}

/** The build puts them beside the program, as they are beside this file. */
function readTemplate(name: Template): string {
  return readFileSync(new URL(`workflows/${name}.yml`, import.meta.url), 'utf8');
}

/** Lines that end with a condition stay where it holds, without it. */
function filled(template: string, { model, keyVariable, keyNeeded, source }: Facts, path: string): string {
  const { pathname, hostname } = new URL(source.url);
  if (path.startsWith('.github/') && !/^\/[\w.-]+\/[\w.-]+$/.test(pathname))
    throw new GalleyError('INVALID_ARGUMENT', '--from: GitHub takes actions from owner/name.', {
      details: { field: 'from', host: hostname },
    });
  const holds: Readonly<Record<string, boolean>> = { key: keyNeeded, price: rowFor(model) !== undefined };
  return template
    .split('\n')
    .flatMap((line) => {
      const [, text = '', condition = ''] = /^(.*?) # with a (key|price)$/.exec(line) ?? [];
      if (condition === '') return [line];
      return holds[condition] ? [text] : [];
    })
    .join('\n')
    .replaceAll('owner/galley/action', `${pathname.slice(1)}/action`)
    .replaceAll('https://forge.invalid/owner/galley.git', source.url)
    .replaceAll('0'.repeat(40), source.commit)
    .replaceAll('galley 0.0.0', `galley ${galleyVersion}`)
    .replaceAll('provider/model', model)
    .replaceAll('MODEL_API_KEY', keyVariable);
}

const gitlabJob = '.gitlab/galley.yml';
const gitlabRoot = '.gitlab-ci.yml';

/** GitLab runs what its one file names: that file where there is none, else the line to add, since it may say anything. */
async function inclusion(root: string): Promise<{ file?: ProposedFile; step?: string }> {
  const line = `- local: ${gitlabJob}`;
  const content = `include:\n  ${line}\n`;
  const before = await textAt(root, gitlabRoot);
  if (before === undefined)
    return { file: { path: gitlabRoot, before, content, about: word('init.ci.include'), shown } };
  if (before.includes(gitlabJob)) return {};
  return { step: word('init.ci.add-include', { file: gitlabRoot, line: colours.bold(line) }) };
}
