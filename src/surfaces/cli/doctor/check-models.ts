// What could answer a prompt: agent CLIs on the PATH and keys in the environment. Keys are named, their values never looked at
// beyond whether there is one.
import { tmpdir } from 'node:os';
import { isGalleyError } from '../../../core/model/error.js';
import type { AgentCliName } from '../../../models/cli/agent-cli.js';
import { childEnvironment } from '../../../models/cli/child-environment.js';
import { agentClis, cliVersion, findAgentCli, isOlder } from '../../../models/cli/find-agent-cli.js';
import { endpoints } from '../../../models/http/endpoint.js';
import type { DoctorFinding, Patient } from './finding.js';

const keyNames = [
  ...new Set([
    // Half of a key that opens far more than models says nothing about them.
    ...endpoints.flatMap(({ keyVariables }) => keyVariables).filter((name) => name !== 'AWS_ACCESS_KEY_ID'),
    'ANTHROPIC_AUTH_TOKEN',
    'CODEX_API_KEY',
  ]),
].sort();

export async function checkModels(patient: Patient): Promise<DoctorFinding[]> {
  const names = Object.keys(agentClis) as AgentCliName[];
  const clis = await Promise.all(names.map((name) => checkCli(name, patient)));
  const hasCli = clis.some(({ problem }) => problem === undefined);
  return [...clis, checkKeys(patient.env, hasCli)];
}

async function checkCli(name: AgentCliName, { env, signal }: Patient): Promise<DoctorFinding> {
  const { install, oldest, variables } = agentClis[name];
  const base = { id: name, repair: install } as const;
  let command: string;
  try {
    command = await findAgentCli(name, { environment: env });
  } catch (error) {
    const configured = isGalleyError(error) && error.details?.reason === 'configured';
    if (!configured) return { ...base, status: 'ok', problem: 'absent' };
    const variable = `GALLEY_${name.toUpperCase()}`;
    return {
      id: name,
      status: 'warn',
      problem: 'misconfigured',
      found: variable,
      repair: `unset ${variable}`,
    };
  }
  const environment = childEnvironment(variables, env);
  const version = await cliVersion(command, { environment, folder: tmpdir(), signal }).catch(() => undefined);
  if (version === undefined) return { ...base, status: 'warn', problem: 'unanswered' };
  if (isOlder(version, oldest))
    return { ...base, status: 'warn', problem: 'old', found: version, wanted: oldest };
  return { id: name, status: 'ok', found: version };
}

export function checkKeys(env: NodeJS.ProcessEnv, hasCli: boolean): DoctorFinding {
  const set = keyNames.filter((name) => env[name] !== undefined);
  const blank = set.filter((name) => env[name]?.trim() === '' || env[name]?.trim() !== env[name]);
  if (blank.length > 0) {
    const repair = `unset ${blank.join(' ')}`;
    return { id: 'keys', status: 'warn', problem: 'blank', found: blank.join(', '), repair };
  }
  // An endpoint of one's own often asks for no key.
  if (env.GALLEY_BASE_URL !== undefined) set.push('GALLEY_BASE_URL');
  if (set.length > 0) return { id: 'keys', status: 'ok', found: set.join(', ') };
  return hasCli
    ? { id: 'keys', status: 'ok', problem: 'none' }
    : { id: 'keys', status: 'warn', problem: 'no-model', repair: 'export ANTHROPIC_API_KEY=…' };
}
