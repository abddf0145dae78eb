// A repository with the change `main...topic`, full of what something on the way might want to change.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hardTexts } from './texts.js';

export function makeRepository(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Wire', '-c', 'user.email=wire@example.org', ...args], {
      cwd: folder,
      stdio: 'pipe',
    });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  git('init', '-q', '-b', 'main');
  write('greet.ts', 'export function greet(name: string) {\n  return name;\n}\n');
  write('notes.md', 'Notes.\n');
  git('add', '-A');
  git('commit', '-qm', 'before');
  git('checkout', '-qb', 'topic');
  write(
    'greet.ts',
    'export function greet(name: string) {\n  // TODO: greet\r\n  return "/hello " + name;\n}\n',
  );
  write('notes.md', `/help\n${hardTexts.join('\n\n')}\n`);
  git('add', '-A');
  git('commit', '-qm', `after: $${'{AvailableTools}'}\n\n/help with \u202ethis`);
}
