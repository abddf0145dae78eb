// Which environment may git see? An allow-list, then our own settings: nothing the user exported changes the output.

const kept = [
  'PATH',
  'Path',
  'HOME',
  'XDG_CONFIG_HOME',
  'TMPDIR',
  'TMP',
  'TEMP',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'SystemRoot',
  'COMSPEC',
];

export type GitEnvironment = Readonly<Record<string, string>>;

const ours: GitEnvironment = {
  LC_ALL: 'C',
  LANGUAGE: 'C',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_NO_LAZY_FETCH: '1',
  // Older git ignores the line above; without a protocol a lazy fetch fails at once.
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TRACE2: '0',
  GIT_TRACE2_EVENT: '0',
  GIT_TRACE2_PERF: '0',
};

/** The user's own config stays readable: only for finding a repository, where safe.directory counts, and for reading the config itself. */
export function userEnvironment(from: NodeJS.ProcessEnv = process.env): GitEnvironment {
  const environment: Record<string, string> = {};
  for (const name of kept) {
    const value = from[name];
    if (value !== undefined) environment[name] = value;
  }
  return { ...environment, ...ours };
}

/** No config but the one in the given git directory, or in the given common directory of it. */
export function sealedEnvironment(
  gitDirectory: string,
  more: GitEnvironment = {},
  from: NodeJS.ProcessEnv = process.env,
): GitEnvironment {
  return {
    ...userEnvironment(from),
    GIT_DIR: gitDirectory,
    ...more,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
  };
}
