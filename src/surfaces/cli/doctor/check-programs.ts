// Node, git and a browser: are they there, and new enough?

import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { userEnvironment } from '../../../git/process/environment.js';
import { askGit } from '../../../git/process/run-git.js';
import { isOlder } from '../../../models/cli/find-agent-cli.js';
import type { DoctorFinding, Patient } from './finding.js';

const oldestNode = '20.19.0';
/** The first with `git cat-file --batch-command`. */
const oldestGit = '2.36.0';

export function checkNode(version: string = process.versions.node): DoctorFinding {
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

export async function checkGit({ folder, env, signal }: Patient): Promise<DoctorFinding> {
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
export async function checkBrowser({ env }: Patient): Promise<DoctorFinding> {
  const found = await findProgram(browsers, env);
  if (found !== undefined) return { id: 'browser', status: 'ok', found: found.split('/').at(-1) ?? found };
  return {
    id: 'browser',
    status: 'ok',
    problem: 'absent',
    repair: await installCommand('chromium', env),
  };
}

const managers: Readonly<Record<string, string>> = {
  brew: 'brew install',
  winget: 'winget install',
  'apt-get': 'sudo apt-get install',
  dnf: 'sudo dnf install',
  pacman: 'sudo pacman -S',
  apk: 'sudo apk add',
  zypper: 'sudo zypper install',
};

/** The command that installs a system package here. */
async function installCommand(name: string, env: NodeJS.ProcessEnv): Promise<string> {
  const manager = await findProgram(Object.keys(managers), env);
  return `${managers[manager ?? 'apt-get']} ${name}`;
}

/** Which of these programs is on the PATH? Only its name leaves this file. */
async function findProgram(names: readonly string[], env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const endings = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];
  for (const name of names) {
    const places = isAbsolute(name)
      ? [name]
      : folders.flatMap((folder) => endings.map((ending) => join(folder, name + ending)));
    for (const place of places) {
      if (
        await access(place, constants.X_OK).then(
          () => true,
          () => false,
        )
      )
        return name;
    }
  }
  return undefined;
}
