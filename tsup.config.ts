import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { defineConfig, type Options } from 'tsup';
import { languages } from './src/surfaces/cli/words/language.js';

/** Packages whose used parts go into our own files; their licences go along. */
const packed = ['commander', 'yaml', 'zod', '@modelcontextprotocol/server', '@modelcontextprotocol/core'];

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
  clean: true,
  sourcemap: false,
  // What commands wait for: one file with the used parts is read far faster than a hundred.
  noExternal: packed,
  esbuildPlugins: [builtInByName],
  removeNodeProtocol: false,
  dts: false,
  // What is asked for first, ready to show: the page of `galley --help`, the tools of `galley mcp`.
  onSuccess: async () => {
    const describe =
      "import('./dist/tools.js').then(async (it) => console.log(JSON.stringify(await it.describeTools())))";
    writeFileSync('dist/tools.json', execFileSync(process.execPath, ['--eval', describe]));
    const licences = packed.map(
      (name) => `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, 'utf8')}`,
    );
    writeFileSync('dist/licences.txt', licences.join('\n\n'));
    for (const language of languages) {
      const help = execFileSync(process.execPath, ['bin/galley.js', '--lang', language, 'help']);
      writeFileSync(`dist/help.${language}.txt`, help);
    }
  },
});
