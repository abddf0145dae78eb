// Which environment may an agent CLI see? An allow-list of what processes need, what this CLI needs, and what the user names
// in GALLEY_AGENT_ENV. Keys pass through here and are written down nowhere.

export type ChildEnvironment = Readonly<Record<string, string>>;

const everyone = [
  'PATH',
  'Path',
  'PATHEXT',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LC_*',
  'TZ',
  'TMPDIR',
  'TMP',
  'TEMP',
  'XDG_*',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'SystemRoot',
  'COMSPEC',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
];

export function childEnvironment(needed: readonly string[], from: NodeJS.ProcessEnv): ChildEnvironment {
  const named = (from.GALLEY_AGENT_ENV ?? '').split(/[\s,]+/).filter((name) => name !== '');
  const allowed = [...everyone, ...needed, ...named];
  const names = new Set(allowed.filter((name) => !name.endsWith('*')));
  const beginnings = allowed.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(from)) {
    if (value === undefined) continue;
    if (names.has(name) || beginnings.some((start) => start !== '' && name.startsWith(start)))
      environment[name] = value;
  }
  return environment;
}
