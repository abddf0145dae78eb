// A repository whose last commit touches every file: half of a hundred lines each, so that git has to find what stayed. It is
// written as a pack: ten thousand loose objects that are removed again make new files dear for minutes on some file systems.
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const linesPerFile = 100;

/** Its folder; the caller removes it. It has no files checked out. */
export function makeWideRepository(files: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'galley-bench-'));
  const git = (args: readonly string[], input = '') =>
    execFileSync('git', args, { cwd: folder, input, stdio: ['pipe', 'ignore', 'ignore'] });
  git(['init', '-q', '-b', 'main', '.']);
  for (const word of ['before', 'after']) git(['fast-import', '--quiet'], commitOf(word, files));
  // Deltas as git finds them, whatever the import made.
  git(['repack', '-adfq']);
  return folder;
}

function commitOf(word: string, files: number): string {
  const date = word === 'before' ? 1_700_000_000 : 1_700_000_060;
  const parent = word === 'before' ? '' : 'from refs/heads/main^0\n';
  const head = `commit refs/heads/main\ncommitter bench <bench@example.com> ${date} +0000\ndata ${word.length}\n${word}\n`;
  const contents = Array.from({ length: files }, (_, file) => {
    const lines = Array.from({ length: linesPerFile }, (_, line) => {
      const name = line % 2 === 0 ? 'kept' : word;
      return `  const ${name}${line} = compute(${file}, ${line}, 'some forty bytes of code');\n`;
    });
    const text = lines.join('');
    return `M 100644 inline folder-${file % 100}/file-${file}.ts\ndata ${text.length}\n${text}\n`;
  });
  return `${head}${parent}${contents.join('')}`;
}
