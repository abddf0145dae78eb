// Who can be called over HTTP, as data: a new provider that speaks a known protocol is a row.

export type Protocol = 'anthropic' | 'openai' | 'google' | 'compatible';

export interface Endpoint {
  /** First part of a model's name. */
  readonly name: string;
  readonly title: string;
  readonly protocol: Protocol;
  readonly baseUrl?: string;
  /** Variables that may name another address, the first that is set wins. */
  readonly baseUrlVariables: readonly string[];
  /** Variables that may hold the key, the first that is set wins. */
  readonly keyVariables: readonly string[];
  /** A server of one's own often takes no key. */
  readonly keyOptional?: boolean;
  /** How far an OpenAI-compatible endpoint can be held to the shape of an answer. */
  readonly shapes?: 'schema' | 'object' | 'none';
}

const compatible = (
  name: string,
  title: string,
  row: { readonly baseUrl: string; readonly key?: string; readonly shapes?: Endpoint['shapes'] },
): Endpoint => {
  const prefix = name.toUpperCase().replaceAll('-', '_');
  return {
    name,
    title,
    protocol: 'compatible',
    baseUrl: row.baseUrl,
    baseUrlVariables: [`${prefix}_BASE_URL`],
    keyVariables: [row.key ?? `${prefix}_API_KEY`],
    shapes: row.shapes ?? 'none',
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
    title: 'Gemini',
    protocol: 'google',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    baseUrlVariables: ['GOOGLE_GEMINI_BASE_URL'],
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  },
  compatible('deepseek', 'DeepSeek', { baseUrl: 'https://api.deepseek.com/v1' }),
  compatible('dashscope', 'Qwen (DashScope)', {
    baseUrl: 'https://dashscope.aliyuncs.com/compatible-mode/v1',
  }),
  compatible('zhipu', 'GLM (Zhipu)', { baseUrl: 'https://open.bigmodel.cn/api/paas/v4' }),
  compatible('moonshot', 'Moonshot', { baseUrl: 'https://api.moonshot.cn/v1' }),
  compatible('openrouter', 'OpenRouter', { baseUrl: 'https://openrouter.ai/api/v1', shapes: 'schema' }),
  compatible('mistral', 'Mistral', { baseUrl: 'https://api.mistral.ai/v1', shapes: 'schema' }),
  compatible('groq', 'Groq', { baseUrl: 'https://api.groq.com/openai/v1' }),
  compatible('xai', 'xAI', { baseUrl: 'https://api.x.ai/v1', shapes: 'schema' }),
  compatible('together', 'Together', { baseUrl: 'https://api.together.xyz/v1' }),
  compatible('siliconflow', 'SiliconFlow', { baseUrl: 'https://api.siliconflow.cn/v1' }),
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
