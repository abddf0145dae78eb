// A review or a receipt as one HTML file that opens from disk: the script and the styles of the page by their hashes, the data as text that no
// browser takes for markup, and a policy that lets nothing else run and nothing leave.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GalleyError } from '../../core/model/error.js';
import { pageFolder } from './page-files.js';
import type { SavedReceipt, SavedReview } from './saved-review.js';

export type Saved = { readonly review: SavedReview } | { readonly receipt: SavedReceipt };

export async function savedPage(saved: Saved, language: 'en' | 'zh'): Promise<string> {
  const [script, style] = await Promise.all([builtFile('saved.js'), builtFile('saved.css')]);
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
  return [
    '<!doctype html>',
    `<html lang="${language}">`,
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="content-security-policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<meta name="generator" content="Galley">',
    '<title>Galley</title>',
    '<link rel="icon" href="data:,">',
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<div id="page"></div>',
    `<script type="application/json" id="galley-saved">${inertJson(saved)}</script>`,
    `<script>${script}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** JSON without a character that could end the element it stands in, or turn what is around it. */
export function inertJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

async function builtFile(name: string): Promise<string> {
  const text = await readFile(join(pageFolder(), name), 'utf8').catch((cause: unknown) => {
    throw new GalleyError('CONFIG_INVALID', 'The page is not part of this build; install Galley anew.', {
      cause,
    });
  });
  // Inside an element these would end it or change how it is read.
  return text.replaceAll('</', '<\\/').replaceAll('<!--', '<\\!--').trim();
}
