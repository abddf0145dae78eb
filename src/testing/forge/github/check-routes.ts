// Check runs, which apps alone have, statuses, and results of scanners.
import { gunzipSync } from 'node:zlib';
import type { CheckRun } from '../host/records.js';
import type { Answer, Exchange, Route } from '../host/request.js';
import { type RestSetup, repositoryPath } from './pull-routes.js';
import { invalidRequest, isLonger, needs, notFound, refusal, validationFailed } from './refusals.js';

const mostAnnotations = 50;
const longestText = 65_535;
const longestDescription = 140;
const largestSarif = { runs: 20, results: 25_000, bytes: 10 * 1024 * 1024 };

interface Output {
  readonly title?: string;
  readonly summary?: string;
  readonly text?: string;
  readonly annotations?: readonly Record<string, unknown>[];
}

export function checkRoutes({ world, bodies }: RestSetup): Route[] {
  const { repository } = world;
  const noCommit = (commit: unknown) => refusal(422, `No commit found for SHA: ${String(commit)}`);
  const isCommit = async (name: unknown): Promise<boolean> =>
    typeof name === 'string' &&
    /^[0-9a-f]{40}$/.test(name) &&
    (await repository.commitOf(name)) !== undefined;
  const withoutChecks = (exchange: Exchange): Answer | undefined =>
    exchange.account.isApp === true
      ? needs('check')(exchange)
      : refusal(403, 'You must authenticate via a GitHub App.');
  return [
    {
      method: 'POST',
      path: `${repositoryPath}/check-runs`,
      refuse: withoutChecks,
      async run(exchange) {
        const asked = exchange.body as Record<string, unknown>;
        const { name, head_sha: commit, output, conclusion } = asked;
        if (typeof name !== 'string' || name === '') return invalidRequest('"name" wasn\'t supplied.');
        if (!(await isCommit(commit))) return noCommit(commit);
        const problem = outputProblem(output);
        if (problem !== undefined) return invalidRequest(problem);
        const run: CheckRun = {
          id: world.nextId(),
          ...{ name, commit: commit as string, author: exchange.account.login },
          // With a conclusion it is over, whatever else is said.
          status: conclusion === undefined ? String(asked.status ?? 'queued') : 'completed',
          conclusion: conclusion as string | undefined,
          output: { title: '', summary: '', text: '' },
          annotations: [],
        };
        if (run.status === 'completed' && conclusion === undefined)
          return invalidRequest('"conclusion" wasn\'t supplied.');
        tell(run, output as Output | undefined);
        world.checkRuns.push(run);
        return { status: 201, body: bodies.checkRun(run, world.now()) };
      },
    },
    {
      method: 'PATCH',
      path: `${repositoryPath}/check-runs/{id}`,
      refuse: withoutChecks,
      run(exchange, { id }) {
        const run = world.checkRuns.find((each) => String(each.id) === id);
        // An app sees its own only.
        if (run === undefined || run.author !== exchange.account.login) return notFound();
        const { output, conclusion } = exchange.body as Record<string, unknown>;
        const problem = outputProblem(output);
        if (problem !== undefined) return invalidRequest(problem);
        if (typeof conclusion === 'string') Object.assign(run, { conclusion, status: 'completed' });
        tell(run, output as Output | undefined);
        return { status: 200, body: bodies.checkRun(run, world.now()) };
      },
    },
    {
      method: 'POST',
      path: `${repositoryPath}/statuses/{commit}`,
      refuse: needs('status'),
      async run({ account, body }, { commit = '' }) {
        if (!(await isCommit(commit))) return noCommit(commit);
        const { state, description = '', context = 'default' } = body as Record<string, string>;
        if (!['error', 'failure', 'pending', 'success'].includes(state ?? ''))
          return validationFailed('Status', 'State is not included in the list');
        if (isLonger(description, longestDescription))
          return validationFailed(
            'Status',
            `Description is too long (maximum is ${longestDescription} characters)`,
          );
        const status = {
          id: world.nextId(),
          commit,
          state: state!,
          context,
          description,
          author: account.login,
        };
        world.statuses.push(status);
        return { status: 201, body: bodies.status(status, world.now()) };
      },
    },
    {
      method: 'POST',
      path: `${repositoryPath}/code-scanning/sarifs`,
      refuse: needs('scan'),
      async run({ body }) {
        const { commit_sha: commit, ref, sarif } = body as Record<string, unknown>;
        if (!(await isCommit(commit)) || typeof ref !== 'string') return noCommit(commit);
        const problem = sarifProblem(sarif);
        if (problem !== undefined) return refusal(400, problem);
        const id = `loopback-${world.nextId()}`;
        return { status: 202, body: { id } };
      },
    },
  ];
}

/** Annotations are added to those of earlier calls; the rest is replaced. */
function tell(run: CheckRun, output: Output | undefined): void {
  if (output === undefined) return;
  const { annotations = [], ...texts } = output;
  Object.assign(run.output, texts);
  run.annotations.push(...annotations);
}

function outputProblem(output: unknown): string | undefined {
  if (output === undefined) return undefined;
  const { title, summary, text = '', annotations = [] } = output as Output;
  if (typeof title !== 'string' || typeof summary !== 'string')
    return '"title" and "summary" weren\'t supplied.';
  if (isLonger(summary, longestText) || isLonger(text, longestText))
    return `Only ${longestText} characters are allowed; more were supplied.`;
  if (annotations.length > mostAnnotations)
    return `No more than ${mostAnnotations} items are allowed; ${annotations.length} were supplied.`;
  const isWrong = annotations.some(
    ({ path, start_line: start, end_line: end, annotation_level: level, message, title: heading = '' }) =>
      typeof path !== 'string' ||
      typeof start !== 'number' ||
      typeof end !== 'number' ||
      start < 1 ||
      start > end ||
      typeof message !== 'string' ||
      message === '' ||
      Buffer.byteLength(message) > 64 * 1024 ||
      isLonger(String(heading), 255) ||
      !['notice', 'warning', 'failure'].includes(String(level)),
  );
  return isWrong ? 'An annotation is not valid.' : undefined;
}

function sarifProblem(sarif: unknown): string | undefined {
  const bytes = Buffer.from(typeof sarif === 'string' ? sarif : '', 'base64');
  if (bytes.length > largestSarif.bytes) return 'The SARIF file is too large.';
  let read: { runs?: { results?: unknown[] }[] };
  try {
    read = JSON.parse(gunzipSync(bytes).toString('utf8'));
  } catch {
    return 'The SARIF file is not a gzipped JSON document.';
  }
  const { runs = [] } = read;
  if (runs.length > largestSarif.runs) return 'The SARIF file has too many runs.';
  return runs.some(({ results = [] }) => results.length > largestSarif.results)
    ? 'A run of the SARIF file has too many results.'
    : undefined;
}
