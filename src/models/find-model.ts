// Which model a name means. Names are `family/model`; what needs a key or an address takes it from the environment, never from
// a file of the project, so that no repository can send a key elsewhere.
import { GalleyError } from '../core/model/error.js';
import { agentClis } from './cli/agent-clis.js';
import { cliModel } from './cli/cli-model.js';
import { findAgentCli } from './cli/find-agent-cli.js';
import type { Model } from './model.js';

export interface ModelWorld {
  /** Where agents work. */
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

export async function findModel(name: string | undefined, world: ModelWorld): Promise<Model> {
  const wanted = name ?? world.environment.GALLEY_MODEL;
  if (wanted === undefined || wanted === '') throw noModel();
  const [family, ...rest] = wanted.split('/');
  if (family === 'cli') return agentCli(rest.join('/'), world);
  throw unknownModel();
}

/** `claude`, or `claude:opus` for one of its models. */
async function agentCli(wanted: string, { folder, environment }: ModelWorld): Promise<Model> {
  const [name = '', ...rest] = wanted.split(':');
  const cli = Object.values(agentClis).find((known) => known.name === name);
  if (cli === undefined) throw unknownModel();
  const command = await findAgentCli(cli.name, { environment });
  const model = rest.join(':');
  return cliModel(cli, { command, folder, environment, ...(model === '' ? {} : { model }) });
}

function noModel(): GalleyError {
  return new GalleyError(
    'MODEL_NOT_CONFIGURED',
    'No model is configured; name one (cli/claude, cli/codex, cli/gemini) or set GALLEY_MODEL.',
  );
}

function unknownModel(): GalleyError {
  return new GalleyError(
    'MODEL_NOT_CONFIGURED',
    'There is no model of that name; names look like cli/claude or cli/codex.',
    { details: { field: 'model' } },
  );
}
