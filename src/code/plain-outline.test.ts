import { describe, expect, it } from 'vitest';
import { languageOf } from './language.js';
import { outline } from './outline.js';

async function tree(path: string, text: string): Promise<string[]> {
  const { symbols } = await outline(path, text);
  return symbols.map(
    ({ name, kind, startLine, endLine, parent }) =>
      `${parent ?? '-'} ${kind} ${name} ${startLine}-${endLine}`,
  );
}

describe('outlines without a syntax tree', () => {
  it('nests Markdown sections by heading and ignores headings inside fences', async () => {
    const text = '# Top\nintro\n\n## One\n```sh\n# not a heading\n```\n\nSetext\n------\ntext\n\n# Next\n';
    expect(await tree('a.md', text)).toEqual([
      '- block Top 1-11',
      '0 block One 4-7',
      '0 block Setext 9-11',
      '- block Next 13-13',
    ]);
  });

  it('takes the sections of TOML and INI files', async () => {
    expect(await tree('a.toml', 'x = 1\n[tool.poetry]\nname = "a"\n\n[[bin]]\nb = 2\n')).toEqual([
      '- block tool.poetry 2-3',
      '- block bin 5-6',
    ]);
  });

  it('nests YAML and JSON by indentation', async () => {
    expect(await tree('a.yaml', 'jobs:\n  # note\n  build:\n    steps: 1\n  test: 2\non: push\n')).toEqual([
      '- block jobs 1-5',
      '0 block build 3-4',
    ]);
    expect(await tree('a.json', '{\n  "scripts": {\n    "a": "{"\n  },\n  "b": 1\n}\n')).toEqual([
      '- block scripts 2-4',
    ]);
  });

  it('finds functions of a language without a grammar', async () => {
    expect(await tree('a.pl', 'sub go {\n  if ($x) {\n    y();\n  }\n}\n')).toEqual([
      '- function go 1-5',
      '0 block if 2-4',
    ]);
  });

  it('ends SQL statements at the right semicolons', async () => {
    const text =
      "CREATE TABLE a (x text DEFAULT ';');\nINSERT INTO a VALUES (1); INSERT INTO b VALUES (2);\nSELECT 1;\n";
    expect(await tree('a.sql', text)).toEqual([
      '- type a 1-1',
      '- block INSERT INTO a 2-2',
      '- block SELECT 3-3',
    ]);
  });

  it('names languages by file name, then by interpreter', () => {
    const cases: [string, string, string][] = [
      ['src/a.TSX', '', 'tsx'],
      ['b/Dockerfile', '', 'dockerfile'],
      ['run', '#!/usr/bin/env python3\n', 'python'],
      ['run', '#!/bin/sh', 'bash'],
      ['dir.py/readme', '', 'text'],
      ['.gitignore', '', 'text'],
      ['constructor', '', 'text'],
    ];
    for (const [path, firstLine, language] of cases)
      expect([path, languageOf(path, firstLine)]).toEqual([path, language]);
  });
});
