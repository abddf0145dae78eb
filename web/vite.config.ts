import { defineConfig } from 'vite';

/** The page is built into the package: `dist/page`, every file under a name that changes with its content. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/page/',
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/page',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
