// Which language is a file written in? Decided by name, else by the interpreter line; unknown files are 'text'.

const extensions: Readonly<Record<string, string>> = {
  bash: 'bash sh zsh ksh bats',
  c: 'c h',
  cpp: 'cc cpp cxx c++ hh hpp hxx ipp inl cu cuh',
  csharp: 'cs csx',
  go: 'go',
  java: 'java',
  javascript: 'js cjs mjs jsx',
  typescript: 'ts cts mts',
  tsx: 'tsx',
  kotlin: 'kt kts',
  php: 'php phtml php5',
  python: 'py pyi pyw bzl bazel star',
  ruby: 'rb rake gemspec ru',
  rust: 'rs',
  scala: 'scala sc sbt',
  swift: 'swift',
  sql: 'sql ddl pgsql psql',
  vue: 'vue',
  notebook: 'ipynb',
  svelte: 'svelte',
  html: 'astro html htm',
  xml: 'xml svg',
  markdown: 'md markdown mdx',
  text: 'rst txt',
  yaml: 'yaml yml',
  json: 'json jsonc json5',
  toml: 'toml',
  ini: 'ini cfg conf properties env',
  css: 'css scss less',
  lua: 'lua',
  perl: 'pl pm',
  r: 'r',
  elixir: 'ex exs',
  dart: 'dart',
  haskell: 'hs',
  terraform: 'tf hcl',
  protobuf: 'proto',
  graphql: 'graphql gql',
};

const byExtension: ReadonlyMap<string, string> = new Map(
  Object.entries(extensions).flatMap(([language, list]) =>
    list.split(' ').map((extension) => [extension, language] as const),
  ),
);

const byName: Readonly<Record<string, string>> = {
  dockerfile: 'dockerfile',
  containerfile: 'dockerfile',
  makefile: 'makefile',
  gnumakefile: 'makefile',
  rakefile: 'ruby',
  gemfile: 'ruby',
  vagrantfile: 'ruby',
  podfile: 'ruby',
  jenkinsfile: 'groovy',
  build: 'python',
  workspace: 'python',
  '.bashrc': 'bash',
  '.bash_profile': 'bash',
  '.profile': 'bash',
  '.zshrc': 'bash',
  '.env': 'ini',
};

const byInterpreter: readonly (readonly [RegExp, string])[] = [
  [/\b(?:ba|z|k|da)?sh\b/, 'bash'],
  [/\bpython[\d.]*\b/, 'python'],
  [/\b(?:node|nodejs)\b/, 'javascript'],
  [/\b(?:deno|bun|tsx|ts-node)\b/, 'typescript'],
  [/\bruby\b/, 'ruby'],
  [/\bphp\b/, 'php'],
  [/\bperl\b/, 'perl'],
];

export function languageOf(path: string, firstLine = ''): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (Object.hasOwn(byName, name)) return byName[name]!;
  const dot = name.lastIndexOf('.');
  const extension = dot === -1 ? '' : name.slice(dot + 1);
  const known = byExtension.get(extension);
  if (known !== undefined) return known;
  if (name.startsWith('dockerfile.')) return 'dockerfile';
  if (firstLine.startsWith('#!')) {
    const interpreter = firstLine.slice(2, 200);
    for (const [pattern, language] of byInterpreter) if (pattern.test(interpreter)) return language;
  }
  if (firstLine.startsWith('<?php')) return 'php';
  return 'text';
}
