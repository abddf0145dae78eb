// Where this run finds and keeps things, as outputs of a step: the built program under a name made of its own files, and the answers of
// models under a name that belongs to one pull request.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { RUNNER_TEMP, GITHUB_RUN_ID, GITHUB_RUN_ATTEMPT, GITHUB_EVENT_NAME, HAS_KEY } = process.env;
const home = join(RUNNER_TEMP, 'galley');
const made = new Set(['.git', 'dist', 'node_modules']);

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile()) yield path;
    else if (entry.isDirectory() && !(folder === root && made.has(entry.name))) yield* files(path);
  }
}

/** Of everything the program is built from. */
function revision() {
  const hash = createHash('sha256');
  const paths = [...files(root)].map((path) => relative(root, path).split(sep).join('/'));
  for (const path of paths.sort()) hash.update(`${path}\0`).update(readFileSync(join(root, path)));
  return hash.digest('hex').slice(0, 40);
}

/** The branch a pull request comes from. A pull request of a fork is known by it, too, and no other one has it. */
function headOf(event) {
  if (GITHUB_EVENT_NAME === 'workflow_run' && event.workflow_run?.event === 'pull_request')
    return { repository: event.workflow_run.head_repository?.id, branch: event.workflow_run.head_branch };
  // Here a cache belongs to the pull request, which a fork might have filled.
  const { head } = (GITHUB_EVENT_NAME === 'pull_request' && event.pull_request) || {};
  if (head?.repo?.id === undefined || head.repo.id !== event.repository?.id) return undefined;
  return { repository: head.repo.id, branch: head.ref };
}

const head = headOf(JSON.parse(readFileSync(process.env.GITHUB_EVENT_PATH, 'utf8')));
// A branch may be called anything; its digest is a name that every cache takes.
const place = createHash('sha256')
  .update(JSON.stringify(head ?? ''))
  .digest('hex')
  .slice(0, 20);
const prefix = `galley-answers-${place}-`;
const month = new Date().toISOString().slice(0, 7);
const platform = `${process.platform}-${process.arch}-node${process.versions.node.split('.')[0]}`;
const outputs = {
  program: join(home, 'program'),
  'program-key': `galley-program-${platform}-${revision()}`,
  answers: join(home, 'answers'),
  'answers-prefix': prefix,
  'answers-key': `${prefix}${GITHUB_RUN_ID}-${GITHUB_RUN_ATTEMPT}`,
  spending: join(home, 'answers', 'galley', 'spending'),
  'spending-prefix': `galley-spending-${month}-`,
  'spending-key': `galley-spending-${month}-${GITHUB_RUN_ID}-${GITHUB_RUN_ATTEMPT}`,
  keeps: HAS_KEY === 'true' && head !== undefined,
};
for (const [name, value] of Object.entries(outputs)) console.log(`${name}=${value}`);
