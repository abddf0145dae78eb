// The pure door as an application meets it: packed, bundled for a browser, run where there is no Node.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'tsup';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packedProject } from '../packed/packed-program.js';
import type { AppInput } from './app.js';

let scratch: string;
let bundle: string;

beforeAll(async () => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'galley-browser-')));
  const pure = join(packedProject(), 'node_modules', 'galley', 'dist', 'pure.js');
  const app = readFileSync('test/browser/app.ts', 'utf8').replace(
    "'../../src/pure.js'",
    JSON.stringify(pure),
  );
  writeFileSync(join(scratch, 'app.ts'), app);
  await build({
    config: false,
    silent: true,
    entry: { app: join(scratch, 'app.ts') },
    outDir: scratch,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    noExternal: [/./],
    tsconfig: 'tsconfig.json',
  });
  bundle = join(scratch, 'app.js');
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const vocabulary = (encoding: string): string =>
  readFileSync(
    join(packedProject(), 'node_modules', 'galley', 'dist', 'vocabularies', `${encoding}.json`),
    'utf8',
  );

const chinese = '他把最后一行铅字排进字盘，抬头看了看窗外的雪：“今晚印得完吗？”没有人回答。\n';
const input: AppInput = {
  texts: [
    '',
    'plain words',
    chinese.repeat(40),
    '👨‍👩‍👧 \ud800 lone',
    'a'.repeat(3000),
    'x = 1;\n'.repeat(500),
  ],
  turn: {
    systemInstruction: 'Set type.',
    contextMessages: Array.from({ length: 60 }, (_, index) => ({
      from: 'editor',
      to: 'printer',
      content: `${index}: ${chinese}`,
    })),
    currentMessage: 'Print the page.',
    maxBytes: 4000,
  },
  vocabularies: { o200k_base: vocabulary('o200k_base'), cl100k_base: vocabulary('cl100k_base') },
};

describe('the pure door, bundled for a browser', () => {
  it('imports nothing [D7]', () => {
    const imports = /^\s*import\b.*|\bfrom\s*["'].*|\bimport\(.*|\brequire\(.*/gm;
    expect(readFileSync(bundle, 'utf8').match(imports)).toBeNull();
  });

  it('gives in a realm without Node what it gives in Node, byte for byte [D7]', async () => {
    const file = join(scratch, 'input.json');
    writeFileSync(file, JSON.stringify(input));
    const flags = ['--experimental-vm-modules', '--no-warnings'];
    const bare = execFileSync(process.execPath, [...flags, 'test/browser/bare-realm.mjs', bundle, file], {
      encoding: 'utf8',
    });
    const { run }: typeof import('./app.js') = await import(bundle);
    const here = JSON.parse(run(JSON.stringify(input)));
    expect(JSON.parse(bare)).toEqual({ ...here, platform: 'undefined' });
    expect(here.platform).toBe('object');
  });
});
