import { describe, expect, it } from 'vitest';
import { outline } from './outline.js';
import { lineKind } from './syntax/outline-model.js';

const component = `<!-- Shows a greeting. -->
<template>
  <p @click="greet(name)">{{ name }}</p>
</template>

<script setup lang="ts">
import { ref } from 'vue'
import { say } from './say'

// Told by the page.
const name = ref<string>('')

function greet(who: string): void {
  say(\`hello \${who}\`)
}
</script>

<style scoped>
p { color: red; }
</style>
`;

describe('code inside other files', () => {
  it('reads the script of a Vue component at its own lines', async () => {
    const found = await outline('Greeting.vue', component, { uses: true, roles: true });
    expect(found).toMatchObject({ language: 'vue', parsed: true, damaged: false, lineCount: 20 });
    expect(
      found.symbols.map(({ kind, name, startLine, endLine }) => `${kind} ${name} ${startLine}-${endLine}`),
    ).toEqual(['variable name 11-11', 'function greet 13-15']);
    expect(found.imports.map(({ module, startLine }) => `${module} ${startLine}`)).toEqual([
      'vue 7',
      './say 8',
    ]);
    expect(found.uses).toContainEqual({ name: 'say', line: 14, role: 'call' });
    const comments = [...found.lineKinds].flatMap((kind, at) => (kind === lineKind.comment ? [at + 1] : []));
    expect(comments).toEqual([1, 10]);
  });

  it('takes the scripts of a Svelte component together, and what it exports as exported', async () => {
    const text =
      '<script context="module">\n  export const limit = 3;\n</script>\n\n<script>\n  export let name = \'x\';\n  const go = () => {\n    open(name);\n  };\n</script>\n\n<button on:click={go}>{name}</button>\n';
    const { symbols } = await outline('Button.svelte', text);
    expect(symbols.map(({ name, exported, startLine }) => [name, exported, startLine])).toEqual([
      ['limit', true, 2],
      ['name', true, 6],
      ['go', false, 7],
    ]);
  });

  it('leaves scripts alone that are no code of the component', async () => {
    const data = '<script type="application/ld+json">\n{ "a": 1 }\n</script>\n<p>text</p>\n';
    expect((await outline('a.vue', data)).parsed).toBe(false);
    expect((await outline('b.vue', '<template>\n  <p/>\n</template>\n')).parsed).toBe(false);
  });
});

const notebook = `{
 "cells": [
  {
   "cell_type": "markdown",
   "metadata": {},
   "source": [
    "# Sales by month"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 4,
   "metadata": {},
   "outputs": [
    {
     "data": {
      "text/plain": [
       "def never(): 1"
      ]
     },
     "output_type": "execute_result"
    }
   ],
   "source": [
    "%matplotlib inline\\n",
    "import pandas as pd\\n",
    "\\n",
    "def load(path: str):\\n",
    "    # \\"raw\\" on purpose\\n",
    "    return pd.read_csv(path, sep=\\"\\\\t\\")\\n",
    "load('a.csv')"
   ]
  }
 ],
 "metadata": {
  "language_info": {
   "codemirror_mode": {
    "name": "ipython"
   },
   "name": "python"
  }
 },
 "nbformat": 4
}
`;

describe('notebooks', () => {
  it('are code in their code cells, explanation in their text cells and data elsewhere', async () => {
    const found = await outline('sales.ipynb', notebook, { roles: true, uses: true });
    expect(found).toMatchObject({ language: 'notebook', parsed: true, damaged: false });
    expect(found.symbols.map(({ name, startLine, endLine }) => `${name} ${startLine}-${endLine}`)).toEqual([
      'load 28-30',
    ]);
    expect(found.imports).toMatchObject([{ module: 'pandas', startLine: 26 }]);
    expect(found.uses).toContainEqual({ name: 'load', line: 31, role: 'call' });
    const kindAt = (line: number) => found.lineKinds[line - 1];
    expect([7, 29].map(kindAt)).toEqual([lineKind.comment, lineKind.comment]);
    expect([12, 18, 24, 42].map(kindAt)).toEqual([
      lineKind.data,
      lineKind.data,
      lineKind.data,
      lineKind.data,
    ]);
    expect([25, 26, 28, 30, 31].map(kindAt)).toEqual(Array.from({ length: 5 }, () => lineKind.code));
    const strings: string[] = [];
    for (let at = 0; at < found.strings.length; at += 2)
      strings.push(notebook.slice(found.strings[at], found.strings[at + 1]));
    expect(strings).toEqual(['\\"\\\\t\\"', "'a.csv'"]);
  });

  it.each([
    ['on one line', JSON.stringify(JSON.parse(notebook))],
    ['for a kernel without a grammar', notebook.replaceAll('"python"', '"fortran"')],
  ])('%s are data', async (_how, text) => {
    const { parsed, symbols, lineKinds } = await outline('a.ipynb', text);
    expect({ parsed, symbols }).toEqual({ parsed: false, symbols: [] });
    expect(new Set(lineKinds)).toEqual(new Set([lineKind.data]));
  });
});
