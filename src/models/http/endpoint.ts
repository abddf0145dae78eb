// Who can be called over HTTP, as data: a new provider that speaks a known protocol is a row.

export type Protocol = 'anthropic' | 'openai' | 'google' | 'bedrock' | 'compatible';

/** Clouds that serve the models of others, each with a package that is installed beside Galley by whoever needs it. */
export type Cloud = 'bedrock' | 'vertex' | 'azure';

export interface Endpoint {
  /** First part of a model's name. */
  readonly name: string;
  /** What else people call it. */
  readonly aliases?: readonly string[];
  readonly title: string;
  readonly protocol: Protocol;
  readonly baseUrl?: string;
  /** Variables that may name another address, the first that is set wins. */
  readonly baseUrlVariables: readonly string[];
  /** Variables that may hold the key, the first that is set wins. */
  readonly keyVariables: readonly string[];
  /** A server of one's own often takes no key. */
  readonly keyOptional?: boolean;
  readonly cloud?: Cloud;
  /** What a cloud must know beside the key, and the variables that may say it. */
  readonly settings?: Readonly<Record<string, readonly string[]>>;
  /** How to be let in, where one key is not all there is to it. */
  readonly signIn?: string;
  /** Whether an OpenAI-compatible endpoint can be held to the shape of an answer. */
  readonly shapes?: 'schema' | 'none';
}

interface CompatibleRow extends Pick<Endpoint, 'shapes' | 'aliases'> {
  readonly baseUrl: string;
  /** Beside the variable that is named after the provider. */
  readonly keys?: readonly string[];
}

const compatible = (name: string, title: string, row: CompatibleRow): Endpoint => {
  const { baseUrl, keys = [], shapes = 'none', aliases = [] } = row;
  const prefix = name.toUpperCase();
  return {
    name,
    aliases,
    title,
    protocol: 'compatible',
    baseUrl,
    baseUrlVariables: [`${prefix}_BASE_URL`],
    keyVariables: [`${prefix}_API_KEY`, ...keys],
    shapes,
  };
};

const local = (name: string, title: string, baseUrl: string): Endpoint => ({
  ...compatible(name, title, { baseUrl, shapes: 'schema' }),
  keyOptional: true,
});

export const endpoints: readonly Endpoint[] = [
  {
    name: 'anthropic',
    title: 'Anthropic',
    protocol: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    baseUrlVariables: ['ANTHROPIC_BASE_URL'],
    keyVariables: ['ANTHROPIC_API_KEY'],
  },
  {
    name: 'openai',
    title: 'OpenAI',
    protocol: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    baseUrlVariables: ['OPENAI_BASE_URL'],
    keyVariables: ['OPENAI_API_KEY'],
  },
  {
    name: 'google',
    aliases: ['gemini'],
    title: 'Gemini',
    protocol: 'google',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    baseUrlVariables: ['GOOGLE_GEMINI_BASE_URL'],
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  },
  compatible('deepseek', 'DeepSeek', { baseUrl: 'https://api.deepseek.com/v1' }),
  compatible('dashscope', 'Qwen (DashScope)', {
    baseUrl: 'https://dashscope.aliyuncs.com/compatible-mode/v1',
    aliases: ['qwen'],
  }),
  compatible('zhipu', 'GLM (Zhipu)', {
    baseUrl: 'https://open.bigmodel.cn/api/paas/v4',
    aliases: ['glm', 'zai'],
    keys: ['ZHIPUAI_API_KEY', 'ZAI_API_KEY'],
  }),
  compatible('moonshot', 'Moonshot', { baseUrl: 'https://api.moonshot.cn/v1', aliases: ['kimi'] }),
  compatible('openrouter', 'OpenRouter', { baseUrl: 'https://openrouter.ai/api/v1', shapes: 'schema' }),
  compatible('mistral', 'Mistral', { baseUrl: 'https://api.mistral.ai/v1', shapes: 'schema' }),
  compatible('groq', 'Groq', { baseUrl: 'https://api.groq.com/openai/v1' }),
  compatible('xai', 'xAI', { baseUrl: 'https://api.x.ai/v1', shapes: 'schema' }),
  compatible('together', 'Together', { baseUrl: 'https://api.together.xyz/v1' }),
  compatible('siliconflow', 'SiliconFlow', { baseUrl: 'https://api.siliconflow.cn/v1' }),
  {
    name: 'bedrock',
    title: 'Amazon Bedrock',
    protocol: 'bedrock',
    cloud: 'bedrock',
    baseUrlVariables: ['AWS_ENDPOINT_URL_BEDROCK_RUNTIME', 'AWS_ENDPOINT_URL'],
    keyVariables: ['AWS_BEARER_TOKEN_BEDROCK', 'AWS_ACCESS_KEY_ID'],
    settings: { region: ['AWS_REGION', 'AWS_DEFAULT_REGION'] },
    signIn: 'set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  },
  {
    name: 'vertex',
    title: 'Vertex AI',
    protocol: 'google',
    cloud: 'vertex',
    baseUrlVariables: ['GOOGLE_VERTEX_BASE_URL'],
    keyVariables: [],
    keyOptional: true,
    settings: {
      project: ['GOOGLE_VERTEX_PROJECT', 'GOOGLE_CLOUD_PROJECT'],
      location: ['GOOGLE_VERTEX_LOCATION', 'GOOGLE_CLOUD_LOCATION'],
    },
    signIn: 'run gcloud auth application-default login, or set GOOGLE_APPLICATION_CREDENTIALS',
  },
  {
    name: 'azure',
    title: 'Azure OpenAI',
    protocol: 'openai',
    cloud: 'azure',
    baseUrlVariables: ['AZURE_OPENAI_ENDPOINT', 'AZURE_OPENAI_BASE_URL'],
    keyVariables: ['AZURE_API_KEY', 'AZURE_OPENAI_API_KEY', 'AZURE_OPENAI_AD_TOKEN'],
    settings: { resource: ['AZURE_RESOURCE_NAME'] },
  },
  local('ollama', 'Ollama', 'http://127.0.0.1:11434/v1'),
  local('vllm', 'vLLM', 'http://127.0.0.1:8000/v1'),
  local('lmstudio', 'LM Studio', 'http://127.0.0.1:1234/v1'),
  {
    name: 'custom',
    title: 'The endpoint in GALLEY_BASE_URL',
    protocol: 'compatible',
    baseUrlVariables: ['GALLEY_BASE_URL'],
    keyVariables: ['GALLEY_API_KEY'],
    keyOptional: true,
    shapes: 'none',
  },
];

/** A cloud may speak to one model in another protocol than to the next. */
export function endpointNamed(name: string, model = ''): Endpoint | undefined {
  const found = endpoints.find((known) => known.name === name || known.aliases?.includes(name) === true);
  const isClaudeOnVertex = found?.cloud === 'vertex' && /^claude/i.test(model);
  return isClaudeOnVertex ? { ...found, protocol: 'anthropic' } : found;
}
