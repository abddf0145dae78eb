// The files of the page as they were built: found beside the program, read once, sent with a policy that lets in nothing from
// elsewhere.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GalleyError } from '../../core/model/error.js';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export interface PageFile {
  readonly bytes: Buffer;
  readonly type: string;
}

/** `name` is the last part of the address; whatever is no built file is undefined. */
export async function pageFile(name: string): Promise<PageFile | undefined> {
  const type = types[extname(name)];
  if (type === undefined || !/^[\w.-]+$/.test(name) || name.startsWith('.')) return undefined;
  const bytes = await readFile(join(pageFolder(), 'assets', name)).catch(() => undefined);
  return bytes === undefined ? undefined : { bytes, type };
}

export interface Shell {
  readonly html: string;
  readonly policy: string;
}

/** The page itself; the nonce is for styles an editor makes as it runs. */
export async function pageShell(language: 'en' | 'zh'): Promise<Shell> {
  const nonce = randomBytes(16).toString('base64');
  const html = (await template())
    .replaceAll('NONCE', nonce)
    .replace('<html lang="en">', `<html lang="${language}">`);
  return { html, policy: pagePolicy(`'self' 'nonce-${nonce}'`) };
}

/** `styles`: where styles may come from. Scripts, pictures and calls come from and go to this server alone. */
function pagePolicy(styles: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}

let read: Promise<string> | undefined;

function template(): Promise<string> {
  read ??= readFile(join(pageFolder(), 'index.html'), 'utf8').catch((cause: unknown) => {
    read = undefined;
    throw new GalleyError('CONFIG_INVALID', 'The page is not part of this build; install Galley anew.', {
      cause,
    });
  });
  return read;
}

/** Beside the bundle in a package, two folders up in the sources. */
export function pageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    for (const place of [join(folder, 'page'), join(folder, 'dist', 'page')])
      if (existsSync(join(place, 'index.html'))) return place;
    const parent = dirname(folder);
    if (parent === folder) return join(folder, 'page');
    folder = parent;
  }
}
