// The host of this repository's pull requests: which one, whose token, and what the token must be allowed to do. Nobody is called.
import { isGalleyError } from '../../../core/model/error.js';
import type { ForgeKind } from '../../../forges/forge.js';
import { leastRights, loginPrograms } from '../../../forges/known-hosts.js';
import { localForge } from '../../local-forge.js';
import type { DoctorFinding, Patient } from './finding.js';

export async function checkForge({ folder, env, signal }: Patient): Promise<DoctorFinding> {
  try {
    const { forge, tokenFrom } = await localForge(signal, env)(undefined, folder);
    const wanted = leastRights[forge.kind];
    return { id: 'forge', status: 'ok', found: `${forge.title} ${forge.repository}, ${tokenFrom}`, wanted };
  } catch (error) {
    if (!isGalleyError(error) || error.code !== 'FORGE_NOT_CONFIGURED') throw error;
    const { reason, forge } = error.details ?? {};
    if (reason === 'no-host' || !isForgeKind(forge)) return { id: 'forge', status: 'ok', problem: 'none' };
    const wanted = leastRights[forge];
    if (reason !== 'no-token')
      return { id: 'forge', status: 'warn', problem: 'invalid', found: error.message, wanted };
    const program = loginPrograms[forge];
    const repair = program === undefined ? 'export GITEA_TOKEN=…' : `${program} auth login`;
    return { id: 'forge', status: 'ok', problem: 'no-token', wanted, repair };
  }
}

function isForgeKind(kind: unknown): kind is ForgeKind {
  return typeof kind === 'string' && Object.hasOwn(leastRights, kind);
}
