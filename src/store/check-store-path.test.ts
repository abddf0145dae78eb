import { afterEach, describe, expect, it, vi } from 'vitest';
import { checkStorePath } from './check-store-path.js';

describe('the address of a database', () => {
  afterEach(() => void vi.unstubAllEnvs());

  const check = (path: string) => () => checkStorePath(path, 'GALLEY_STORE');
  const unset = () => {
    vi.stubEnv('PGHOST', undefined);
    vi.stubEnv('PGDATABASE', undefined);
  };

  it.each(['postgres://', 'postgres:///galley', 'postgres://host', 'postgresql://user:secret@host:5432/'])(
    'is incomplete without a host or a database: %s',
    (path) => {
      unset();
      expect(check(path)).toThrow(/^GALLEY_STORE: the address is incomplete; write postgres:.*\/database\.$/);
      expect(check(path)).not.toThrow('secret');
    },
  );

  it('may name a socket, or leave to the variables of PostgreSQL what they say', () => {
    unset();
    expect(check('postgres://user@host/galley')).not.toThrow();
    expect(check('postgres:///galley?host=/run/postgresql')).not.toThrow();
    vi.stubEnv('PGHOST', 'db.internal');
    vi.stubEnv('PGDATABASE', 'galley');
    expect(check('postgres://')).not.toThrow();
  });
});
