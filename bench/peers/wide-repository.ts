// A repository whose last commit touches every file: half of a hundred lines each, so that git has to find what stayed.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const linesPerFile = 100;
const settings = [
  '-c',
  'user.name=bench',
  '-c',
  'user.email=bench@example.com',
  '-c',
  'core.looseCompression=0',
];

/** Its folder; the caller removes it. */
export function makeWideRepository(files: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'galley-bench-'));
  const git = (...args: string[]) =>
    execFileSync('git', [...settings, ...args], { cwd: folder, stdio: 'ignore' });
  git('init', '-q', '.');
  for (const word of ['before', 'after']) {
    for (let file = 0; file < files; file += 1) {
      const place = join(folder, `folder-${file % 100}`);
      if (word === 'before' && file < 100) mkdirSync(place);
      const lines = Array.from({ length: linesPerFile }, (_, line) => {
        const name = line % 2 === 0 ? 'kept' : word;
        return `  const ${name}${line} = compute(${file}, ${line}, 'some forty bytes of code');\n`;
      });
      writeFileSync(join(place, `file-${file}.ts`), lines.join(''));
    }
    git('add', '-A');
    git('commit', '-q', '-m', word);
  }
  git('repack', '-adq');
  return folder;
}
