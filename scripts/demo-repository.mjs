// A small repository with everything that makes reviews hard: a lockfile of 5,000 lines, one line of 17 MB, a binary, a
// security-sensitive change and a Chinese file beside an ordinary one.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const identity = {
  GIT_AUTHOR_NAME: 'Demo',
  GIT_AUTHOR_EMAIL: 'demo@example.invalid',
  GIT_COMMITTER_NAME: 'Demo',
  GIT_COMMITTER_EMAIL: 'demo@example.invalid',
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
};

export function makeDemoRepository(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'src'), { recursive: true });
  const git = (...args) =>
    execFileSync('git', args, { cwd: folder, env: { ...process.env, ...identity }, stdio: 'pipe' });
  const write = (name, content) => writeFileSync(join(folder, name), content);
  const lockfile = (version) =>
    `lockfileVersion: '9.0'\npackages:\n${Array.from({ length: 5000 }, (_, n) => `  pkg-${n}@1.${version}.${n % 9}: {}`).join('\n')}\n`;

  git('init', '-q', '-b', 'main');
  write('src/session.ts', session({ checked: false }));
  write(
    'src/greeting.ts',
    "import { openSession } from './session.js';\n\nexport const greet = (token: string) => openSession(token).user;\n",
  );
  write(
    'src/greeting.test.ts',
    "import { greet } from './greeting.js';\n\nif (greet('ada:1') !== 'ada') process.exit(1);\n",
  );
  write('pnpm-lock.yaml', lockfile(0));
  write('data.min.json', '[1]\n');
  write('logo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]));
  write('CLAUDE.md', 'Prefer early returns. Never log tokens.\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'First version');

  git('switch', '-q', '-c', 'expiry');
  write('src/session.ts', session({ checked: true }));
  write(
    'src/greeting.ts',
    "import { openSession } from './session.js';\n\nexport const greet = (token: string, now: number) => openSession(token, now).user;\n",
  );
  write('src/说明.md', '# 会话\n\n令牌现在会过期；过期的令牌会被拒绝。\n');
  write('pnpm-lock.yaml', lockfile(1));
  write('data.min.json', `[${'1,'.repeat(8_500_000)}1]\n`);
  write('logo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 3, 2, 1]));
  git('add', '-A');
  git('commit', '-q', '-m', 'Let sessions expire');
}

function session({ checked }) {
  const signature = checked ? 'openSession(token: string, now: number)' : 'openSession(token: string)';
  const check = checked ? "  if (Number(expiry) * 1000 < now) throw new Error('session expired');\n" : '';
  return `export interface Session {
  readonly user: string;
  readonly expiry: number;
}

/** Reads a session token of the form user:expiry. */
export function ${signature}: Session {
  const [user = '', expiry = '0'] = token.split(':');
  if (user === '') throw new Error('no user in token');
${check}  return { user, expiry: Number(expiry) };
}

export function closeSession(session: Session): void {
  sessions.delete(session.user);
}

const sessions = new Map<string, Session>();
`;
}
