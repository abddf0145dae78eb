// Which public repositories the measurements use, and where their bare copies lie on this machine.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const mirrorRoot = resolve(process.env.GALLEY_MIRRORS ?? '../.mirror');
export const dataRoot = resolve(process.env.GALLEY_BENCH_DATA ?? '../shared/data');
/** Where draw-followups.ts wrote its questions. */
export const drawnRoot = resolve(process.env.GALLEY_BENCH_DRAWN ?? '../drawn');

const names: Record<string, string> = {
  hono: 'honojs+hono',
  trpc: 'trpc+trpc',
  zod: 'colinhacks+zod',
  nitro: 'nitrojs+nitro',
  express: 'expressjs+express',
  flask: 'pallets+flask',
  gin: 'gin-gonic+gin',
  gson: 'google+gson',
  kysely: 'kysely-org+kysely',
  gofr: 'gofr-dev+gofr',
  svelte: 'sveltejs+svelte',
  ollama: 'ollama+ollama',
  cline: 'cline+cline',
  'gemini-cli': 'google-gemini+gemini-cli',
  'typescript-sdk': 'modelcontextprotocol+typescript-sdk',
  ai: 'vercel+ai',
  cli: 'cli+cli',
  ripgrep: 'BurntSushi+ripgrep',
  fmt: 'fmtlib+fmt',
  fastify: 'fastify+fastify',
  httpx: 'encode+httpx',
  cobra: 'spf13+cobra',
  sinatra: 'sinatra+sinatra',
  'serde-json': 'serde-rs+json',
  mockito: 'mockito+mockito',
  bat: 'sharkdp+bat',
  tokio: 'tokio-rs+tokio',
  pylint: 'pylint-dev+pylint',
  'go-zero': 'zeromicro+go-zero',
  jackson: 'FasterXML+jackson-databind',
  rubocop: 'rubocop+rubocop',
  langchain: 'langchain-ai+langchain',
  vue: 'vuejs+core',
  axios: 'axios+axios',
  requests: 'psf+requests',
  'grpc-go': 'grpc+grpc-go',
  clap: 'clap-rs+clap',
  pytest: 'pytest-dev+pytest',
  sphinx: 'sphinx-doc+sphinx',
  okhttp: 'square+okhttp',
  laravel: 'laravel+framework',
  django: 'django+django',
  simdjson: 'simdjson+simdjson',
  glow: 'charmbracelet+glow',
  slidev: 'slidevjs+slidev',
  plug: 'elixir-plug+plug',
  afero: 'spf13+afero',
  hyperfine: 'sharkdp+hyperfine',
  newtonsoft: 'JamesNK+Newtonsoft.Json',
  polly: 'App-vNext+Polly',
  guzzle: 'guzzle+guzzle',
  monolog: 'Seldaek+monolog',
  moshi: 'square+moshi',
  'kotlinx-serialization': 'Kotlin+kotlinx.serialization',
  bytes: 'tokio-rs+bytes',
  serde: 'serde-rs+serde',
  rack: 'rack+rack',
  junit4: 'junit-team+junit4',
  'nlohmann-json': 'nlohmann+json',
  'urfave-cli': 'urfave+cli',
  tornado: 'tornadoweb+tornado',
  reqwest: 'seanmonstar+reqwest',
  koin: 'InsertKoinIO+koin',
  faraday: 'lostisland+faraday',
  retrofit: 'square+retrofit',
  hyper: 'hyperium+hyper',
  automapper: 'AutoMapper+AutoMapper',
  slim: 'slimphp+Slim',
  puma: 'puma+puma',
  detekt: 'detekt+detekt',
  spdlog: 'gabime+spdlog',
  echo: 'labstack+echo',
  uvicorn: 'encode+uvicorn',
};

export function gitDirectory(name: string): string | undefined {
  const folder = names[name];
  if (folder === undefined) return undefined;
  const directory = join(mirrorRoot, folder, 'repo');
  return existsSync(directory) ? directory : undefined;
}
