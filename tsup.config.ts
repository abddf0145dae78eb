import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { brotliCompressSync, constants } from 'node:zlib';
import { build, defineConfig, type Options } from 'tsup';
import { grammarPins } from './src/code/grammar.js';
import type { EncodingName } from './src/meters/bpe/encoder.js';
import { ownSource } from './src/surfaces/cli/init/own-source.js';
import { languages } from './src/surfaces/cli/words/language.js';

/** Packages whose used parts go into our own files; their licences go along. */
const packed = [
  'commander',
  'yaml',
  'zod',
  '@modelcontextprotocol/server',
  '@modelcontextprotocol/core',
  'lru-cache',
  'p-queue',
  'eventemitter3',
  'p-timeout',
  'docx',
  'fflate',
];

/** What the page is made of. */
const shown = ['preact', '@preact/signals', '@codemirror/view', '@lezer/markdown'];

/** What the loopback forge judges by: whoever tests with it installs them beside Galley. */
const judges = ['graphql', 'ajv', 'ajv-formats'];

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** Packed packages may be CommonJS, whose calls of require mean nothing in a module. */
const builtInByName: Plugin = {
  name: 'built-in-by-name',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^(?:node:)?[a-z_]+$/ }, ({ path, kind }) =>
      kind === 'require-call' && isBuiltin(path) ? { path, namespace: 'built-in' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'built-in' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

/** Packed code goes along without its comments: half of what the parser weighs, read at every start. */
const withoutComments: Plugin = {
  name: 'without-comments',
  setup: ({ onLoad, esbuild }) => {
    onLoad({ filter: /node_modules\/.*\.[cm]?js$/ }, async ({ path }) => ({
      contents: (await esbuild.transform(readFileSync(path, 'utf8'), { minifyWhitespace: true })).code,
    }));
  },
};

/** Without a platform: whoever bundles it for a browser finds one file that imports nothing. */
export const pure: Options = {
  config: false,
  silent: true,
  entry: { pure: 'src/pure.ts' },
  format: 'esm',
  target: 'es2022',
  platform: 'browser',
  splitting: false,
  noExternal: [/./],
  dts: false,
};

/** Grammars and vocabularies lie in packages with a hundred others; only those we read go along. */
function packData(): void {
  mkdirSync('dist/grammars', { recursive: true });
  for (const { folder } of Object.values(grammarPins)) {
    const bytes = readFileSync(`node_modules/tree-sitter-wasm/out/${folder}/tree-sitter-${folder}.wasm`);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(`dist/grammars/${folder}.wasm.br`, brotliCompressSync(bytes, { params }));
  }
  mkdirSync('dist/vocabularies', { recursive: true });
  for (const encoding of ['o200k_base', 'cl100k_base'] satisfies EncodingName[])
    copyFileSync(`node_modules/tiktoken/encoders/${encoding}.json`, `dist/vocabularies/${encoding}.json`);
  cpSync('src/surfaces/cli/init/workflows', 'dist/workflows', { recursive: true });
}

function licenceOf(name: string): string {
  const file = readdirSync(`node_modules/${name}`).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no licence to go along`);
  return `${name}\n\n${readFileSync(`node_modules/${name}/${file}`, 'utf8')}`;
}

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    'ai-sdk': 'src/surfaces/ai-sdk/budget-middleware.ts',
    ipc: 'src/ipc.ts',
    'ipc-client': 'src/ipc-client.ts',
    'testing/index': 'src/testing/index.ts',
    cli: 'src/surfaces/cli/main.ts',
    tools: 'src/surfaces/mcp/describe-tools.ts',
  },
  format: 'esm',
  target: 'node20',
  platform: 'node',
  splitting: true,
  // Done by scripts/build.mjs, before what else builds into the same folder.
  clean: false,
  sourcemap: false,
  // What commands wait for: one file with the used parts is read far faster than a hundred.
  noExternal: packed,
  external: judges,
  esbuildPlugins: [builtInByName, withoutComments],
  removeNodeProtocol: false,
  dts: false,
  // What is asked for first, ready to show: the page of `galley --help`, the tools of `galley mcp`.
  onSuccess: async () => {
    packData();
    await build(pure);
    const source = await ownSource();
    if (source !== undefined) writeFileSync('dist/source.json', JSON.stringify(source));
    const describe =
      "import('./dist/tools.js').then(async (it) => console.log(JSON.stringify(await it.describeTools())))";
    writeFileSync('dist/tools.json', execFileSync(process.execPath, ['--eval', describe]));
    const licences = [
      ...packed.map(licenceOf),
      ...shown.map(licenceOf),
      readFileSync('scripts/data-licences.txt', 'utf8'),
    ];
    writeFileSync('dist/licences.txt', licences.join('\n\n'));
    for (const language of languages) {
      const help = execFileSync(process.execPath, ['bin/galley.js', '--lang', language, 'help']);
      writeFileSync(`dist/help.${language}.txt`, help);
    }
  },
});
