// Which model a name means. Names are `family/model`; what needs a key or an address takes it from the environment, never from
// a file of the project, so that no repository can send a key elsewhere.
import { resolve, sep } from 'node:path';
import { GalleyError } from '../core/model/error.js';
import { nearestWord } from '../core/model/nearest-word.js';
import { outgoingFetch } from '../network/outgoing-fetch.js';
import { cliModel } from './cli/cli-model.js';
import { agentClis, findAgentCli } from './cli/find-agent-cli.js';
import { countTokens } from './contract/count-tokens.js';
import type { Model } from './contract/model.js';
import { connect } from './http/connection.js';
import { type Endpoint, endpointNamed, endpoints } from './http/endpoint.js';

export interface ModelWorld {
  /** Where agents work. */
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Whoever asks may name only files of the folder. */
  readonly isConfined?: boolean;
}

const cliNames = Object.values(agentClis).map(({ name }) => name);

export async function findModel(name: string | undefined, world: ModelWorld): Promise<Model> {
  const wanted = (name ?? world.environment.GALLEY_MODEL)?.trim();
  if (wanted === undefined || wanted === '') throw noModel();
  const [family = '', ...rest] = wanted.split('/');
  const model = rest.join('/');
  if (family === 'cli') return agentCli(model, world);
  if (family === 'replay') return replay(model, world);
  const endpoint = endpointNamed(family, model);
  if (endpoint === undefined) throw unknownModel(wanted);
  return provider(endpoint, model, world);
}

/** `claude`, or `claude:opus` for one of its models. */
async function agentCli(wanted: string, { folder, environment }: ModelWorld): Promise<Model> {
  const [name = '', ...rest] = wanted.split(':');
  const cli = Object.values(agentClis).find((known) => known.name === name);
  if (cli === undefined) throw unknownModel(`cli/${name}`);
  const command = await findAgentCli(cli.name, { environment });
  const model = rest.join(':');
  return cliModel(cli, { command, folder, environment, ...(model === '' ? {} : { model }) });
}

async function provider(endpoint: Endpoint, model: string, { environment }: ModelWorld): Promise<Model> {
  if (!/^[\w.:@+/-]{1,200}$/.test(model))
    throw new GalleyError(
      'MODEL_NOT_CONFIGURED',
      `Name the model too: ${endpoint.name}/<model>, as ${endpoint.title} spells it.`,
      { details: { field: 'model', provider: endpoint.name } },
    );
  const connection = connect(endpoint, environment);
  const { httpModel } = await import('./http/http-model.js');
  return httpModel(connection, model, {
    count: countTokens,
    fetch: outgoingFetch(environment, 'MODEL_UNAVAILABLE'),
  });
}

async function replay(file: string, { folder, isConfined = false }: ModelWorld): Promise<Model> {
  const path = resolve(folder, file);
  if (file === '' || (isConfined && !path.startsWith(resolve(folder) + sep)))
    throw new GalleyError(
      'MODEL_NOT_CONFIGURED',
      'Name a file of recorded answers in this folder: replay/<file>.',
      {
        details: { field: 'model' },
      },
    );
  const { openReplay } = await import('./replay/replay-model.js');
  return openReplay(path, `replay/${file}`);
}

function noModel(): GalleyError {
  return new GalleyError(
    'MODEL_NOT_CONFIGURED',
    'No model is configured; name one (cli/claude, anthropic/<model>, openai/<model>, ollama/<model>, …) or set GALLEY_MODEL.',
    { details: { reason: 'none-set' } },
  );
}

function unknownModel(wanted: string): GalleyError {
  const families = endpoints.map(({ name }) => name);
  const [family = '', second = ''] = wanted.split('/');
  const meant =
    family === 'cli'
      ? nearestWord(second, cliNames)
      : nearestWord(family, [...families, 'cli', 'replay', ...cliNames]);
  const isCli = family === 'cli' || (meant !== undefined && cliNames.some((name) => name === meant));
  const suggestion =
    meant === undefined ? '' : ` Did you mean ${isCli ? `cli/${meant}` : `${meant}/<model>`}?`;
  return new GalleyError(
    'MODEL_NOT_CONFIGURED',
    `There is no model of that name.${suggestion} Names are cli/<${cliNames.join('|')}>, replay/<file> or <provider>/<model> with ${families.join(', ')}.`,
    {
      details: { field: 'model', ...(meant === undefined ? {} : { meant: isCli ? `cli/${meant}` : meant }) },
    },
  );
}
