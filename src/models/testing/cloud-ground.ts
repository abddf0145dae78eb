// Google's credentials on this machine, for tests: a metadata server as on a machine in its cloud, and nothing else to be found.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

export const googleToken = 'ya29.loopback';

/** For the tests of a file or of a `describe`. */
export function signInToGoogle(): void {
  const server = createServer((request, response) => {
    const isToken = request.url?.includes('/token') === true;
    response.writeHead(200, { 'metadata-flavor': 'Google', 'content-type': 'application/json' });
    response.end(
      isToken
        ? JSON.stringify({ access_token: googleToken, expires_in: 3600, token_type: 'Bearer' })
        : '"loopback"',
    );
  });
  let signOut = () => {};
  beforeAll(async () => {
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const { port } = server.address() as AddressInfo;
    signOut = withEnvironment({
      ...withoutGoogle,
      METADATA_SERVER_DETECTION: 'assume-present',
      GCE_METADATA_HOST: `127.0.0.1:${port}`,
    });
  });
  afterAll(async () => {
    signOut();
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
}

/** Nobody is signed in. */
export const withoutGoogle = {
  GOOGLE_APPLICATION_CREDENTIALS: '',
  CLOUDSDK_CONFIG: '/nowhere',
  HOME: '/nowhere',
  METADATA_SERVER_DETECTION: 'none',
} as const;

/** Sets variables of the process, which Google's library reads; gives what sets them back. */
export function withEnvironment(variables: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}
