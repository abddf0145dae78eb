// Where does a CLI send its requests, and how is it told to send them elsewhere? By the variable or setting of its own that names
// the address; where the person had set it already, that address is the one the requests are passed on to.
import { GalleyError } from '../../core/model/error.js';
import { agentClis } from '../../models/cli/find-agent-cli.js';
import { namedProxies } from '../../network/find-proxy.js';
import type { WatchProxyOptions } from './watch-proxy.js';

export interface WatchTarget {
  /** As the report calls it. */
  readonly title: string;
  readonly upstream: WatchProxyOptions['upstream'];
  /** The rest of its command line and its environment, with the proxy in place of the provider. */
  child(url: string): { readonly args: readonly string[]; readonly environment: NodeJS.ProcessEnv };
}

export interface TargetOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** The text of Codex' own configuration, empty where there is none. */
  readonly codexConfig: string;
  readonly upstream?: string | undefined;
  readonly variable?: string | undefined;
}

/** The name of a program without folder and ending. */
export const programName = (command: string) =>
  (command.split(/[\\/]/).at(-1) ?? '').replace(/\.(?:exe|cmd|js)$/i, '');

export function watchTarget(command: readonly string[], options: TargetOptions): WatchTarget {
  const [program = '', ...args] = command;
  const name = programName(program);
  const { upstream, variable } = options;
  if (upstream !== undefined) checkedAddress(upstream, '--upstream');
  if (variable !== undefined) return byVariables({ title: name, args, options, own: ownVariable(options) });
  if (name === 'codex') return codexTarget(args, options);
  const own = variablesOf[name];
  if (own === undefined)
    throw new GalleyError(
      'INVALID_ARGUMENT',
      `Only claude, codex and gemini are known by name; for any other program give --upstream <url> and --variable <name>.`,
      { details: { field: '--variable' } },
    );
  return byVariables({ title: agentClis[name as 'claude'].title, args, options, own });
}

interface OwnVariable {
  readonly variable: string;
  readonly address: string;
  /** Which of its requests go there; all others go to the first. */
  readonly path?: RegExp;
}

const variablesOf: Readonly<Record<string, readonly OwnVariable[]>> = {
  claude: [{ variable: 'ANTHROPIC_BASE_URL', address: 'https://api.anthropic.com' }],
  gemini: [
    { variable: 'GOOGLE_GEMINI_BASE_URL', address: 'https://generativelanguage.googleapis.com' },
    // Where it asks with a login.
    {
      variable: 'CODE_ASSIST_ENDPOINT',
      address: 'https://cloudcode-pa.googleapis.com',
      path: /^\/v1internal\b/,
    },
  ],
};

function ownVariable({ upstream, variable = '', environment }: TargetOptions): readonly OwnVariable[] {
  const address = upstream ?? environment[variable];
  if (!/^[A-Za-z_]\w*$/.test(variable))
    throw new GalleyError('INVALID_ARGUMENT', '--variable must be the name of an environment variable.', {
      details: { field: '--variable' },
    });
  if (address === undefined || address === '')
    throw new GalleyError('INVALID_ARGUMENT', `${variable} is not set; name the address with --upstream.`, {
      details: { field: '--upstream' },
    });
  return [{ variable, address }];
}

interface ByVariables {
  readonly title: string;
  readonly args: readonly string[];
  readonly options: TargetOptions;
  readonly own: readonly OwnVariable[];
}

function byVariables({ title, args, options, own }: ByVariables): WatchTarget {
  const { environment, upstream } = options;
  const addresses = own.map(({ variable, address, path }) => ({
    address: upstream ?? checkedAddress(environment[variable] || address, variable),
    path,
  }));
  const usual = addresses[0]?.address ?? '';
  return {
    title,
    upstream: (path) => addresses.find((one) => one.path?.test(path))?.address ?? usual,
    child: (url) => ({
      args,
      environment: childEnvironment(
        environment,
        Object.fromEntries(own.map(({ variable }) => [variable, url])),
      ),
    }),
  };
}

function checkedAddress(address: string, field: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return address;
  throw new GalleyError('INVALID_ARGUMENT', `${field} must be an http or https address.`, {
    details: { field },
  });
}

/** The proxy of a company must not be asked for what is on this machine. */
function childEnvironment(environment: NodeJS.ProcessEnv, set: Record<string, string>): NodeJS.ProcessEnv {
  if (namedProxies(environment).length === 0) return { ...environment, ...set };
  const besides = environment.no_proxy || environment.NO_PROXY || '';
  const exceptions = [besides, '127.0.0.1'].filter((one) => one !== '').join(',');
  return { ...environment, no_proxy: exceptions, NO_PROXY: exceptions, ...set };
}

const openaiAddress = 'https://api.openai.com/v1';
const chatgptAddress = 'https://chatgpt.com/backend-api/codex';

/** Codex takes the address of a provider as a setting alone; the last one given wins. */
function codexTarget(args: readonly string[], options: TargetOptions): WatchTarget {
  const given = settingsIn(args);
  const config = options.codexConfig;
  const top = config.split(/^\s*\[/m)[0] ?? '';
  const provider = textIn(given, 'model_provider') ?? textIn(top, 'model_provider') ?? 'openai';
  const isBuiltIn = provider === 'openai';
  const setting = isBuiltIn ? 'openai_base_url' : `model_providers.${provider}.base_url`;
  const found = isBuiltIn
    ? (textIn(given, setting) ?? textIn(top, setting))
    : (providerAddress(given, provider) ?? providerAddress(config, provider));
  const address = options.upstream ?? found;
  if (!isBuiltIn && address === undefined)
    throw new GalleyError(
      'INVALID_ARGUMENT',
      'The address of the model provider of Codex was not found in its settings; name it with --upstream.',
      { details: { field: '--upstream' } },
    );
  if (address !== undefined) checkedAddress(address, '--upstream');
  return {
    title: agentClis.codex.title,
    upstream: (_, hasHeader) => address ?? (hasHeader('chatgpt-account-id') ? chatgptAddress : openaiAddress),
    child: (url) => {
      const end = args.includes('--') ? args.indexOf('--') : args.length;
      const ours = ['-c', `${setting}="${url}"`];
      return {
        args: [...args.slice(0, end), ...ours, ...args.slice(end)],
        environment: childEnvironment(options.environment, {}),
      };
    },
  };
}

/** What -c and --config say, as lines of a configuration. */
function settingsIn(args: readonly string[]): string {
  return args
    .flatMap((arg, at) => {
      if (arg === '-c' || arg === '--config') return [args[at + 1] ?? ''];
      const joined = /^(?:--config=|-c=?)(.*)$/s.exec(arg)?.[1];
      return joined === undefined || joined === '' ? [] : [joined];
    })
    .join('\n');
}

function textIn(settings: string, name: string): string | undefined {
  const line = new RegExp(
    `^\\s*${name.replaceAll('.', '\\.')}\\s*=\\s*["']?([^"'\\n]+?)["']?\\s*(?:#.*)?$`,
    'm',
  );
  return line.exec(settings)?.[1];
}

/** As a table of its own, as one line, or as a table in one line. */
function providerAddress(settings: string, provider: string): string | undefined {
  const name = `model_providers.${provider}`;
  const inline = new RegExp(`^\\s*${name.replaceAll('.', '\\.')}\\s*=\\s*\\{([^}]*)\\}`, 'm').exec(
    settings,
  )?.[1];
  const table = settings.split(/^\s*\[/m).find((one) => one.startsWith(`${name}]`));
  return (
    textIn(settings, `${name}.base_url`) ??
    /\bbase_url\s*=\s*["']([^"']+)["']/.exec(inline ?? '')?.[1] ??
    (table === undefined ? undefined : textIn(table, 'base_url'))
  );
}
