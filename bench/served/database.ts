// A PostgreSQL as an operator would run it: commits reach the disk. Where there is none, a bench says so in one line.
import { hasPostgres, type PrivateServer, privateServer } from '../../test/postgres/private-server.js';

const asRun = {
  fsync: 'on',
  shared_buffers: '512MB',
  maintenance_work_mem: '256MB',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  max_connections: 100,
};

export async function benchDatabase(bench: string): Promise<PrivateServer | undefined> {
  if (hasPostgres) return privateServer(asRun);
  console.log(`${bench}: the part on PostgreSQL is skipped; apt-get install postgresql`);
  return undefined;
}
