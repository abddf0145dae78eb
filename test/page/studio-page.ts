// A book in a folder, open in the studio.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from './open-page.js';

/** A folder with these files, made a project unless told. */
export function makeBook(files: Readonly<Record<string, string>>, { isBegun = true } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'galley-studio-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  if (isBegun)
    execFileSync(process.execPath, [join(process.cwd(), 'bin/galley.js'), 'write', 'init'], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C' },
    });
  return folder;
}

export const saveState = (page: Page) => page.locator('.save').getAttribute('data-state');

export const untilSaved = (page: Page) => page.locator('.save[data-state=saved]').waitFor();

export async function openChapter(page: Page, address: string, documentId: string): Promise<void> {
  await page.goto(`${address}/#/write/${documentId.split('/').map(encodeURIComponent).join('/')}`);
  await page.locator('.manuscript .cm-content').waitFor();
  await page.locator('.save').waitFor();
}

/** Where the text ends, as a person goes there. */
export async function toTheEnd(page: Page): Promise<void> {
  await page.locator('.manuscript .cm-content').focus();
  await page.keyboard.press('Control+End');
}
