// A PostgreSQL of the tests' own, from the packages of the system: started by the first test of a process that needs it, on a port
// nobody else has, and gone with the process, however it ends.
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const packages = '/usr/lib/postgresql';
const password = 'geheim-passwort';

export interface PrivateServer {
  readonly port: number;
  /** Of the process that the others are children of. */
  pid(): number;
  /** Of a new, empty database; the user is no superuser. */
  newDatabase(options?: { readonly encoding?: string }): Promise<string>;
  /** As the superuser, in a database. */
  run(database: string, sql: string): Promise<pg.QueryResult>;
  /** Ends all connections, as a crash does, and comes back. */
  restart(): Promise<void>;
}

/** Folder of the programs, or undefined where none are installed. */
function programs(): string | undefined {
  const given = process.env.GALLEY_TEST_POSTGRES;
  if (given !== undefined) return given === 'none' ? undefined : given;
  const versions = existsSync(packages) ? readdirSync(packages) : [];
  const newest = versions.map(Number).sort((left, right) => right - left)[0];
  const folder = join(packages, String(newest), 'bin');
  return existsSync(join(folder, 'postgres')) ? folder : undefined;
}

export const hasPostgres = programs() !== undefined;
export const howToGetPostgres = 'needs PostgreSQL: apt-get install postgresql, then npx vitest run src/store';

/** The server refuses to run as root. */
function account(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [, , uid, gid] = /^postgres:.*$/m.exec(readFileSync('/etc/passwd', 'utf8'))?.[0].split(':') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

// Whoever started it holds its input open: when that ends, the server ends, and its folder goes.
const keeper = 'trap "" INT TERM; "$@" & read -r _; kill -INT $!; wait $!; rm -rf "$GALLEY_FOLDER"';

async function start(own: Readonly<Record<string, string | number>> = {}): Promise<PrivateServer> {
  const bin = programs() as string;
  const who = account();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'galley-pg-')));
  if (who.uid !== undefined) chownSync(folder, who.uid, who.gid as number);
  const data = join(folder, 'data');
  const told = { ...who, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C', GALLEY_FOLDER: folder } };
  const making = ['-D', data, '--no-sync', '-U', 'postgres', '-E', 'UTF8', '--locale=C'];
  execFileSync(join(bin, 'initdb'), [...making, '--auth-local=trust', '--auth-host=scram-sha-256'], {
    ...told,
    stdio: 'ignore',
  });
  const port = await freePort();
  const settings = { fsync: 'off', port, listen_addresses: '127.0.0.1', unix_socket_directories: folder };
  const flags = Object.entries({ ...settings, max_connections: 60, log_min_messages: 'panic', ...own });
  const words = flags.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const launch = () => {
    const command = ['-c', keeper, 'sh', join(bin, 'postgres'), '-D', data, ...words];
    const child = spawn('sh', command, { ...told, stdio: ['pipe', 'ignore', 'ignore'] });
    child.unref();
    (child.stdin as unknown as { unref(): void }).unref();
  };
  launch();

  const run = async (database: string, sql: string): Promise<pg.QueryResult> => {
    const client = new pg.Client({ host: folder, port, user: 'postgres', database });
    client.on('error', () => {});
    await client.connect();
    try {
      return await client.query(sql);
    } finally {
      await client.end();
    }
  };
  const answers = async () => {
    for (;;) {
      const isUp = await run('postgres', 'select 1').then(
        () => true,
        () => false,
      );
      if (isUp) return;
      await sleep(20);
    }
  };
  await answers();
  await run('postgres', `create role galley login password '${password}'`);
  let databases = 0;
  return {
    port,
    pid: () => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]),
    run,
    async newDatabase({ encoding = 'UTF8' } = {}) {
      const name = `galley_${process.pid}_${++databases}`;
      await run('postgres', `create database ${name} owner galley encoding '${encoding}' template template0`);
      return `postgres://galley:${password}@127.0.0.1:${port}/${name}`;
    },
    async restart() {
      execFileSync(join(bin, 'pg_ctl'), ['-D', data, '-m', 'immediate', 'stop'], {
        ...told,
        stdio: 'ignore',
      });
      launch();
      await answers();
    },
  };
}

let server: Promise<PrivateServer> | undefined;

/** The first who asks may give it settings; those of tests trade safety of the disk for time. */
export function privateServer(settings?: Readonly<Record<string, string | number>>): Promise<PrivateServer> {
  server ??= start(settings);
  return server;
}
