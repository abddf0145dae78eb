// Node, git and a browser: are they there, and new enough?

import { userEnvironment } from '../../../git/process/environment.js';
import { askGit } from '../../../git/process/run-git.js';
import { isOlder } from '../../../models/cli/find-agent-cli.js';
import { findProgram } from './find-program.js';
import type { Finding, Patient } from './finding.js';
import { installCommand } from './install-command.js';

const oldestNode = '20.19.0';
/** The first with `git cat-file --batch-command`. */
export const oldestGit = '2.36.0';

export function checkNode(version: string = process.versions.node): Finding {
  if (!isOlder(version, oldestNode)) return { id: 'node', status: 'ok', found: version };
  return {
    id: 'node',
    status: 'fail',
    problem: 'old',
    found: version,
    wanted: oldestNode,
    repair: 'nvm install --lts',
  };
}

export async function checkGit({ folder, env, signal }: Patient): Promise<Finding> {
  const place = { folder, environment: userEnvironment(env), settings: [] };
  const repair = await installCommand('git', env);
  const said = await askGit(place, ['version'], { signal }).catch(() => undefined);
  const version = /\d+\.\d+(?:\.\d+)?/.exec(said ?? '')?.[0];
  if (version === undefined) return { id: 'git', status: 'fail', problem: 'missing', repair };
  if (!isOlder(version, oldestGit)) return { id: 'git', status: 'ok', found: version };
  return { id: 'git', status: 'fail', problem: 'old', found: version, wanted: oldestGit, repair };
}

const browsers = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'msedge',
  'microsoft-edge',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Only for pages of reports, so that without one everything else works. */
export async function checkBrowser({ env }: Patient): Promise<Finding> {
  const found = await findProgram(browsers, env);
  if (found !== undefined) return { id: 'browser', status: 'ok', found: found.split('/').at(-1) ?? found };
  return {
    id: 'browser',
    status: 'ok',
    problem: 'absent',
    repair: await installCommand('chromium', env),
  };
}
