import { defineConfig } from 'tsup';

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
});
