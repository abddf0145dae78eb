// A commit that holds only the visible part of a real one, in a scratch repository that borrows the objects of the real one.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row } from './read-rows.js';

export interface ScratchRepository {
  readonly folder: string;
  /** The visible change as a base and a head. */
  sidesOf(row: Row): { base: string; head: string };
  close(): void;
}

export function scratchRepository(directory: string): ScratchRepository {
  const folder = mkdtempSync(join(tmpdir(), 'galley-visible-'));
  const environment = {
    ...process.env,
    GIT_DIR: folder,
    GIT_INDEX_FILE: join(folder, 'scratch-index'),
    GIT_AUTHOR_NAME: 'bench',
    GIT_AUTHOR_EMAIL: 'bench@example.com',
    GIT_AUTHOR_DATE: '2020-01-01T00:00:00Z',
    GIT_COMMITTER_NAME: 'bench',
    GIT_COMMITTER_EMAIL: 'bench@example.com',
    GIT_COMMITTER_DATE: '2020-01-01T00:00:00Z',
  };
  const git = (args: readonly string[], input = '') =>
    execFileSync('git', args, { env: environment, input, encoding: 'utf8', maxBuffer: 1 << 28 }).trim();
  git(['init', '-q', '--bare', folder]);
  mkdirSync(join(folder, 'objects', 'info'), { recursive: true });
  writeFileSync(join(folder, 'objects', 'info', 'alternates'), `${join(directory, 'objects')}\n`);
  return {
    folder,
    sidesOf({ base, snapshot, parent, commit, visible }) {
      if (base !== undefined && snapshot !== undefined) return { base, head: snapshot };
      const paths = Object.keys(visible);
      git(['read-tree', parent!]);
      const shown = git(['ls-tree', '-z', commit!, '--', ...paths.map((path) => `:(literal)${path}`)]);
      const found = new Map(
        shown
          .split('\0')
          .filter(Boolean)
          .map((line) => [line.slice(line.indexOf('\t') + 1), line]),
      );
      const lines = paths.map((path) => found.get(path) ?? `0 ${'0'.repeat(40)}\t${path}`);
      git(['update-index', '-z', '--index-info'], `${lines.join('\0')}\0`);
      const tree = git(['write-tree', '--missing-ok']);
      return { base: parent!, head: git(['commit-tree', tree, '-p', parent!, '-m', 'visible']) };
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
