// Which names speak of secrets, identity, permission or encryption: some words alone, some in pairs, and some only where the place is
// about security.

const alone = new Set(
  (
    'password passwords passwd passphrase secret secrets credential credentials hmac jwt jwk jwks jws csrf xsrf cors oauth oidc saml ' +
    'encrypt encrypted encryption decrypt decryption rsa pbkdf2 bcrypt scrypt argon2 auth authn authz authenticate ' +
    'authenticated authentication authenticator authorize authorized authorization unauthorized permission permissions privilege privileges ' +
    'sudo csp hsts x509 certificate certificates keystore rbac acl login logout signin impersonate antiforgery ' +
    'pkce webauthn passkey passkeys mfa totp aead aad ciphertext sso ' +
    'untrusted pickle subprocess dangerouslysetinnerhtml insecureskipverify'
  ).split(' '),
);

/** Colours are sanitized too. */
const whole = new Set(['sanitize', 'sanitizer', 'sanitise', 'sanitized', 'sanitizes']);

const pairs: readonly (readonly [ReadonlySet<string>, ReadonlySet<string>])[] = [
  [
    new Set(['access', 'refresh', 'bearer', 'id', 'api', 'session', 'verify', 'sign']),
    new Set(['token', 'tokens']),
  ],
  [new Set(['api', 'private', 'public', 'signing', 'encryption', 'secret']), new Set(['key', 'keys', 'pem'])],
  [new Set(['key']), new Set(['pem'])],
  [new Set(['session', 'secure', 'signed', 'samesite']), new Set(['cookie', 'cookies'])],
  [
    new Set(['tls', 'ssl', 'tls12', 'tls13']),
    new Set(
      'config configuration context ctx verify verification version options option cert certs key keys method mode policy ca ciphers cipher enabled required insecure strict hostname'.split(
        ' ',
      ),
    ),
  ],
  [
    new Set('enable disable require use force verify no skip min max start insecure with'.split(' ')),
    new Set(['tls', 'ssl']),
  ],
  [new Set(['http']), new Set(['only'])],
  [new Set(['same']), new Set(['site'])],
  [new Set(['is', 'set', 'cookie', 'cookies']), new Set(['secure'])],
  [new Set(['redirect']), new Set(['uri', 'uris'])],
  [new Set(['code']), new Set(['challenge', 'verifier'])],
  [new Set(['sensitive']), new Set(['parameter', 'data'])],
  [new Set(['inner', 'escape', 'unescape', 'raw']), new Set(['html'])],
  [new Set(['timing', 'constant']), new Set(['safe', 'time'])],
  [new Set(['path', 'directory']), new Set(['traversal'])],
  [
    whole,
    new Set(
      'html input inputs url uri path file filename sql user query header headers markup params body content cookie svg text string output xss attributes'.split(
        ' ',
      ),
    ),
  ],
  [new Set(['secure']), new Set(['headers', 'filename', 'join', 'cookie'])],
  [new Set(['create', 'block', 'stream']), new Set(['cipher', 'cipheriv', 'decipheriv'])],
  [new Set(['cipher']), new Set(['suite', 'suites', 'text'])],
  [new Set(['unsafe']), new Set(['html', 'inline', 'eval', 'redirect'])],
];

const evaluated = new Set(['eval', 'execSync', 'safe_join', 'compare_digest', 'timingSafeEqual']);

/** Things that security is made of, and much else: they count where the place is about security. */
const parts = new Set(
  (
    'token tokens key keys sign signed signer signing signature signatures verify verifier verified verification claim claims hash ' +
    'hashed digest salt nonce iv cipher ciphers cek alg algorithm algorithms issuer audience iss aud sub exp nbf expiry expires expired ' +
    'expiration leeway scope scopes role roles grant grants granted allow allowed deny denied forbidden forbid access origin origins ' +
    'trusted trust principal identity cookie cookies samesite httponly secure session sessions redirect policy policies guard owner ' +
    'admin superuser otp totp mfa challenge escape sanitize validate validator'
  ).split(' '),
);

const tables = /^Hash(?:Map|Set|Table)?$/;

export function isPartOfSecurity(identifier: string): boolean {
  return (
    !tables.test(identifier) &&
    (wordsOf(identifier).some((word) => parts.has(word)) ||
      /^client_?id$/i.test(identifier.replace(/^get_?/i, '')))
  );
}

/** What holds code about a thing is not the thing. */
const holders = new Set(
  'source repository repo manager service services module controller impl screen factory client provider view page model state store context builder registry'.split(
    ' ',
  ),
);

/** Names are split into their words; some words say enough alone, some only in pairs. */
export function speaksOfSecurity(identifier: string): boolean {
  if (evaluated.has(identifier) || whole.has(identifier.toLowerCase())) return true;
  const words = wordsOf(identifier);
  if (words.length > 1 && holders.has(words.at(-1)!)) return false;
  if (words[0] === 'auth' && words[1] === 'zone') return false;
  if (words.some((word) => alone.has(word)) || alone.has(identifier.toLowerCase())) return true;
  return words.some((word, at) => {
    const next = words[at + 1];
    return next !== undefined && pairs.some(([left, right]) => left.has(word) && right.has(next));
  });
}

/** A class that holds such code is a place for it. */
export function isAboutSecurity(identifier: string): boolean {
  const words = wordsOf(identifier);
  return speaksOfSecurity(identifier) || words.some((word) => alone.has(word));
}

function wordsOf(identifier: string): string[] {
  return identifier
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

/** Most words of the one are words of the other, and none of those that differ is about security. */
export function isCloseName(old: string, now: string): boolean {
  const [before, after] = [wordsOf(old), wordsOf(now)];
  const shared = after.filter((word) => before.includes(word));
  const others = [...before, ...after].filter((word) => !shared.includes(word));
  return (
    2 * shared.length > Math.max(before.length, after.length) &&
    !others.some((word) => alone.has(word) || parts.has(word))
  );
}

const guarding = new Set(
  (
    'verify verifies verified validate validates check checks ensure authenticate authorize authorise encrypt decrypt sign unsign hash compare ' +
    'revoke revokes issue grant deny forbid allow protect sanitize escape require login logout signin signout derive compute decode encode ' +
    'exchange rotate impersonate seal unseal wrap unwrap sha md hmac digest crypt equals matches expire expired secure insecure'
  ).split(' '),
);

/** A function called after what security does. */
export function guards(identifier: string): boolean {
  return wordsOf(identifier.replace(/\d+/g, '')).some((word) => guarding.has(word));
}

/** Of these, what is done for the sake of security and of nothing else. */
const deciding = new Set(
  (
    'authenticate authenticated authorize authorized authorise authorised encrypt decrypt sign unsign verify verifies verified revoke revoked ' +
    'sanitize escape login logout signin signout impersonate derive rotate seal unseal hmac crypt pbkdf2 bcrypt scrypt argon2 ' +
    'permit permitted grant deny forbid'
  ).split(' '),
);

export function decidesAccess(identifier: string): boolean {
  return evaluated.has(identifier) || wordsOf(identifier).some((word) => deciding.has(word));
}

const holding = new Set(
  'check checks validate validates ensure compare equals equal eq matches hash sha md digest expire expired protect allow allows'.split(
    ' ',
  ),
);

/** What is done to many things, and to one of security it matters: holding it against something, or taking its digest. */
export function holdsAgainst(identifier: string): boolean {
  return wordsOf(identifier.replace(/\d+/g, '')).some((word) => holding.has(word));
}

const telling = new Set(
  (
    'loading loaded load cached cache count num size length label title text message error exception icon button view popup dialog ' +
    'modal sheet screen page tab style color registrar file filename path directory dir'
  ).split(' '),
);

/** What tells of a thing, shows or keeps it, is not the thing. */
export function tellsOf(identifier: string): boolean {
  return wordsOf(identifier).some((word) => telling.has(word.replace(/s$/, '')));
}
