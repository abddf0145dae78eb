// The certificate and key of a server that speaks TLS itself. What does not fit together is refused before anyone connects.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { GalleyError } from '../../core/model/error.js';

export interface TlsMaterial {
  /** PEM: the certificate of the server first, then those between it and its root. */
  readonly cert: string;
  /** PEM, without a passphrase. */
  readonly key: string;
}

export async function readTlsMaterial(files: {
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}): Promise<TlsMaterial | undefined> {
  const { cert, key } = files;
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw invalid('--tls-cert and --tls-key belong together; give both.');
  const material = { cert: await read(cert, '--tls-cert'), key: await read(key, '--tls-key') };
  checkPair(material);
  return material;
}

async function read(path: string, flag: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    throw invalid(`${flag}: the file cannot be read; check its name and who may read it.`, cause);
  });
}

function checkPair({ cert, key }: TlsMaterial): void {
  const certificate = parsed(() => new X509Certificate(cert), '--tls-cert: is not a certificate in PEM.');
  const secret = parsed(
    () => createPrivateKey(key),
    '--tls-key: is not a private key in PEM without a passphrase.',
  );
  if (!certificate.checkPrivateKey(secret))
    throw invalid(
      '--tls-key: does not belong to the certificate of --tls-cert; give the key it was made with.',
    );
  parsed(
    () => createSecureContext({ cert, key }),
    '--tls-cert: the certificate cannot serve; make a newer one.',
  );
}

function parsed<T>(parse: () => T, words: string): T {
  try {
    return parse();
  } catch (cause) {
    throw invalid(words, cause);
  }
}

function invalid(message: string, cause?: unknown): GalleyError {
  return new GalleyError('CONFIG_INVALID', message, { cause });
}
