import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { defineConfig } from 'tsup';
import { languages } from './src/surfaces/cli/words/language.js';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    'ai-sdk': 'src/surfaces/ai-sdk/budget-middleware.ts',
    ipc: 'src/ipc.ts',
    'ipc-client': 'src/ipc-client.ts',
    'testing/index': 'src/testing/index.ts',
    cli: 'src/surfaces/cli/main.ts',
  },
  format: 'esm',
  target: 'node20',
  platform: 'node',
  splitting: true,
  clean: true,
  sourcemap: false,
  dts: false,
  // The page of `galley --help`, ready to show.
  onSuccess: async () => {
    for (const language of languages) {
      const help = execFileSync(process.execPath, ['bin/galley.js', '--lang', language, 'help']);
      writeFileSync(`dist/help.${language}.txt`, help);
    }
  },
});
