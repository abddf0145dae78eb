import { defineConfig } from 'vite';

/** A review in one file: one script without imports and one style sheet, for `galley review --html` to write into it. */
export default defineConfig({
  root: import.meta.dirname,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/page',
    emptyOutDir: false,
    target: 'es2022',
    lib: {
      entry: 'src/saved.tsx',
      formats: ['iife'],
      name: 'galleyReview',
      fileName: () => 'saved.js',
      cssFileName: 'saved',
    },
    reportCompressedSize: false,
  },
});
