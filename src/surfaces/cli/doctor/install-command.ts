// The command that installs a system package here.
import { findProgram } from './find-program.js';

const managers: Readonly<Record<string, string>> = {
  brew: 'brew install',
  winget: 'winget install',
  'apt-get': 'sudo apt-get install',
  dnf: 'sudo dnf install',
  pacman: 'sudo pacman -S',
  apk: 'sudo apk add',
  zypper: 'sudo zypper install',
};

export async function installCommand(name: string, env: NodeJS.ProcessEnv): Promise<string> {
  const manager = await findProgram(Object.keys(managers), env);
  return `${managers[manager ?? 'apt-get']} ${name}`;
}
