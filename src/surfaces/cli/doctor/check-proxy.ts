// The way out: which variables of the environment name a proxy. Their names alone are told, since an address may hold a password.
import { exceptionVariable, namedProxies } from '../../../network/find-proxy.js';
import type { DoctorFinding } from './finding.js';

export function checkProxy(env: NodeJS.ProcessEnv): DoctorFinding {
  const proxies = namedProxies(env);
  if (proxies.length === 0) return { id: 'proxy', status: 'ok', problem: 'none' };
  const malformed = proxies.filter(({ url }) => url === undefined).map(({ variable }) => variable);
  if (malformed.length > 0) {
    const repair = `unset ${malformed.join(' ')}`;
    return { id: 'proxy', status: 'warn', problem: 'no-address', found: malformed.join(', '), repair };
  }
  const except = exceptionVariable(env);
  const names = [...proxies.map(({ variable }) => variable), ...(except === undefined ? [] : [except])];
  return { id: 'proxy', status: 'ok', found: names.join(', ') };
}
