// The models of a cloud, by the cloud's own package. It is installed by whoever needs it, found beside Galley only, and told everything
// it would otherwise look for in the environment; who is signed in to Google is for Google's own library to find.
import type { LanguageModelV3 } from '@ai-sdk/provider';
import { GalleyError } from '../../core/model/error.js';
import type { Fetch } from '../../network/outgoing-fetch.js';
import type { Connection } from './connection.js';
import type { Cloud, Endpoint } from './endpoint.js';

/** The line of versions that speaks the same interface as the packages of the other providers. */
const packages: Readonly<Record<Cloud, string>> = {
  bedrock: '@ai-sdk/amazon-bedrock@4',
  vertex: '@ai-sdk/google-vertex@4',
  azure: '@ai-sdk/azure@3',
};

export interface CloudCall {
  readonly model: string;
  readonly fetch: Fetch;
}

export async function openCloud(
  cloud: Cloud,
  connection: Connection,
  call: CloudCall,
): Promise<LanguageModelV3> {
  const found = await installed(connection.endpoint, () => openers[cloud](connection, call));
  if (found.specificationVersion !== 'v3') throw notInstalled(connection.endpoint, 'package-version');
  return found;
}

/** What a package gives, or the line that installs it. */
export async function installed<T>(endpoint: Endpoint, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ERR_MODULE_NOT_FOUND' ? notInstalled(endpoint, 'package-missing') : error;
  }
}

function notInstalled({ name, title, cloud }: Endpoint, reason: string): GalleyError {
  const wanted = cloud === undefined ? '' : packages[cloud];
  return new GalleyError(
    'MODEL_NOT_CONFIGURED',
    `${title} is called by a package of its own; npm install ${wanted} beside Galley.`,
    { details: { provider: name, reason, package: wanted } },
  );
}

type Opener = (connection: Connection, call: CloudCall) => Promise<LanguageModelV3>;

const openers: Readonly<Record<Cloud, Opener>> = {
  async bedrock({ baseUrl, key = '', keyVariable, settings }, { model, fetch }) {
    const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
    const { region = '', secret = '', session } = settings;
    const isPair = keyVariable === 'AWS_ACCESS_KEY_ID';
    const pair = {
      // An empty one keeps the package from taking another from the environment.
      apiKey: '',
      accessKeyId: key,
      secretAccessKey: secret,
      ...(session === undefined ? {} : { sessionToken: session }),
    };
    return createAmazonBedrock({
      ...(isPair ? pair : { apiKey: key }),
      ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
      region,
      fetch,
    }).languageModel(model);
  },

  async vertex({ baseUrl, key, endpoint, settings }, { model, fetch }) {
    const { project = '', location = '' } = settings;
    const at = (version: string, place: string) =>
      baseUrl === undefined
        ? {}
        : {
            baseURL: `${baseUrl}/${version}/projects/${project}/locations/${location}/publishers/${place}`,
          };
    const common = { project, location, fetch };
    if (endpoint.protocol === 'anthropic') {
      const { createVertexAnthropic } = await import('@ai-sdk/google-vertex/anthropic');
      const token = key === undefined ? {} : { generateAuthToken: async () => key };
      const options = { ...common, ...at('v1', 'anthropic/models'), ...token };
      return createVertexAnthropic(options).languageModel(model);
    }
    const { createVertex } = await import('@ai-sdk/google-vertex');
    const options = { ...common, ...at('v1beta1', 'google'), apiKey: key ?? '' };
    return createVertex(options).languageModel(model);
  },

  async azure({ baseUrl, key = '', keyVariable, settings: { resource } }, { model, fetch }) {
    const { createAzure } = await import('@ai-sdk/azure');
    const isToken = keyVariable === 'AZURE_OPENAI_AD_TOKEN';
    return createAzure({
      ...(isToken ? { tokenProvider: async () => key } : { apiKey: key }),
      baseURL: baseUrl ?? `https://${resource}.openai.azure.com/openai/v1`,
      fetch,
    }).responses(model);
  },
};
