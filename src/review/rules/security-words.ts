// Does an identifier speak of security? Names are split into their words; some words say enough alone, some only in pairs.

const alone = new Set(
  (
    'password passwords passwd passphrase secret secrets credential credentials hmac jwt jwk jwks jws csrf xsrf cors oauth oidc saml sanitize ' +
    'sanitizer sanitise encrypt encrypted encryption decrypt decryption cipher rsa pbkdf2 bcrypt scrypt argon2 auth authn authz authenticate ' +
    'authenticated authentication authenticator authorize authorized authorization unauthorized permission permissions privilege privileges ' +
    'sudo csp hsts tls ssl x509 certificate certificates keystore rbac acl login logout signin impersonate antiforgery ' +
    'unsafe untrusted pickle subprocess dangerouslysetinnerhtml insecureskipverify'
  ).split(' '),
);

const pairs: readonly (readonly [ReadonlySet<string>, ReadonlySet<string>])[] = [
  [
    new Set(['access', 'refresh', 'bearer', 'id', 'api', 'session', 'verify', 'sign']),
    new Set(['token', 'tokens']),
  ],
  [
    new Set(['api', 'private', 'public', 'signing', 'encryption', 'secret', 'key']),
    new Set(['key', 'keys', 'pem']),
  ],
  [new Set(['session', 'secure', 'signed', 'samesite']), new Set(['cookie', 'cookies'])],
  [new Set(['inner', 'escape', 'unescape', 'raw']), new Set(['html'])],
  [new Set(['timing', 'constant']), new Set(['safe', 'time'])],
  [new Set(['path', 'directory']), new Set(['traversal'])],
  [new Set(['secure']), new Set(['headers', 'filename', 'join', 'cookie'])],
];

const evaluated = new Set([
  'eval',
  'execSync',
  'execFileSync',
  'safe_join',
  'compare_digest',
  'timingSafeEqual',
]);

export function speaksOfSecurity(identifier: string): boolean {
  if (evaluated.has(identifier)) return true;
  const words = identifier
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  if (words.some((word) => alone.has(word)) || alone.has(identifier.toLowerCase())) return true;
  return words.some((word, at) => {
    const next = words[at + 1];
    return next !== undefined && pairs.some(([left, right]) => left.has(word) && right.has(next));
  });
}
