// Does a change touch secrets, identity, permission or encryption? Names tell. Some say enough by themselves; where only the place is
// about security, what changed there must be a thing that security is made of.
import type { LineRange } from '../../code/range-evidence.js';
import { plainLanguages } from '../../code/tables/plain-languages.js';
import type { FileSide } from '../units/changed-file.js';
import { isCallable } from '../units/line-owner.js';
import type { ReviewUnit } from '../units/unit.js';
import type { FreshLines } from './fresh-lines.js';
import { namesOf, spokenLines } from './spoken-code.js';

interface SecurityPlace {
  /** The file is about security. */
  readonly isSecurityPath: boolean;
  /** Nothing but the text of strings changed. */
  readonly isText: boolean;
}

export function namesSecurity(unit: ReviewUnit, fresh: FreshLines, place: SecurityPlace): boolean {
  const gone = namesIn(unit.file.before, fresh.removed);
  const here = namesIn(unit.file.after, fresh.added);
  if (gone.length + here.length === 0 || onlyOwnershipDiffers(gone, here) || onlyDeclares(unit)) return false;
  const differing = differingNames(gone, here);
  const isAuthority = [...gone, ...here].some((name) => /^(?:scheme|authority)$/i.test(name));
  // The middle of an address is called auth as well.
  const speaks = (name: string) => speaksOfSecurity(name) && !(isAuthority && name === 'auth');
  if (differing.some(speaks)) return true;
  const isSpoken = [...gone, ...here].some(speaks);
  // The same names, and something else between them.
  if (isSpoken && differing.length === 0) return true;
  if (place.isText) return false;
  // A number or a comparison in a file about security: how long a token lives, who is let in.
  if (place.isSecurityPath && differing.length === 0) return true;
  const own = unit.chain.at(-1);
  const owner = unit.symbol ?? unit.oldSymbol;
  if (own !== undefined && owner !== undefined && isCallable(owner) && speaksOfSecurity(own))
    return !differing.every((name) => telling.test(name));
  const isAbout = isSpoken || place.isSecurityPath || unit.chain.some(speaksOfSecurity);
  return isAbout && differing.some(isPartOfSecurity);
}

/** What becomes of an error or is written to a log is no matter of security by its place alone. */
const telling = /err|wrap|log|debug|warn|message|msg|stack|trace/i;

/** What prints something prints what is there. */
const printing =
  /^(?:[tT]o_?[sS]tring|[sS]tring|inspect|__str__|__repr__|[sS]et_?[lL]ogger|[pP]rint\w*|[lL]og(?!_?(?:[iI]n|[oO]ut|[oO]ff)(?![a-z]))(?:[A-Z_]\w*)?|[dD]ebug\w*)$/;

/** Fields without a value, types, stand-ins for tests and what prints them do nothing themselves. */
function onlyDeclares({ symbol, oldSymbol, chain, lines }: ReviewUnit): boolean {
  const owner = symbol ?? oldSymbol;
  if (owner === undefined) return false;
  if (/\bMock\p{Lu}|:\s*TypeAlias\b/u.test(owner.signature) || printing.test(chain.at(-1) ?? '')) return true;
  const isType = ['class', 'interface', 'type', 'enum'].includes(owner.kind);
  return isType && !lines.some(({ text }) => !/^\s*(?:\/\/|\*|#|\/\*)/.test(text) && /[=(]/.test(text));
}

const silent =
  /^\s*(?:(?:package|namespace|module)\s+[\w.\\]+\s*;?\s*$|@(?:Suppress\w*|Deprecated|OptIn|Override)\b|#\[(?:allow|deny|warn|expect|inline|must_use|deprecated|derive|cfg\w*)\b|\[(?:Obsolete|SuppressMessage)\b)/;

/** Of lines that bring names in, say to which package a file belongs or speak to a compiler, one learns nothing. */
function namesIn(side: FileSide | undefined, ranges: readonly LineRange[]): string[] {
  if (side === undefined || !isCode(side)) return [];
  const { outline, lines } = side;
  const isSilent = (line: number) =>
    silent.test(lines[line - 1] ?? '') ||
    outline.imports.some(({ startLine, endLine }) => startLine <= line && line <= endLine);
  return ranges.flatMap((range) =>
    spokenLines(side, range).flatMap((code, at) => (isSilent(range.startLine + at) ? [] : namesOf(code))),
  );
}

/** Translations, lists of what to overlook and declarations without a body speak of everything and do nothing. */
function isCode({ path, outline: { parsed, language } }: FileSide): boolean {
  return (parsed || Object.hasOwn(plainLanguages, language)) && !/\.d\.[cm]?ts$/.test(path);
}

/** Names that stand on one side more often than on the other. */
function differingNames(gone: readonly string[], here: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of here) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const name of gone) counts.set(name, (counts.get(name) ?? 0) - 1);
  return [...counts].filter(([, count]) => count !== 0).map(([name]) => name);
}

const ownership = new Set(
  'clone cloned copied to_owned into as_ref as_mut as_deref borrow mut let const var final move ref'.split(
    ' ',
  ),
);

/** The same names, some of them copied, moved or held in another way. */
function onlyOwnershipDiffers(gone: readonly string[], here: readonly string[]): boolean {
  if (gone.join(' ') === here.join(' ')) return false;
  const rest = (names: readonly string[]) => names.filter((name) => !ownership.has(name)).join(' ');
  return rest(gone) !== '' && rest(gone) === rest(here);
}

const alone = new Set(
  (
    'password passwords passwd passphrase secret secrets credential credentials hmac jwt jwk jwks jws csrf xsrf cors oauth oidc saml ' +
    'encrypt encrypted encryption decrypt decryption rsa pbkdf2 bcrypt scrypt argon2 auth authn authz authenticate ' +
    'authenticated authentication authenticator authorize authorized authorization unauthorized permission permissions privilege privileges ' +
    'sudo csp hsts tls ssl x509 certificate certificates keystore rbac acl login logout signin impersonate antiforgery ' +
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
  [
    new Set(['api', 'private', 'public', 'signing', 'encryption', 'secret', 'key']),
    new Set(['key', 'keys', 'pem']),
  ],
  [new Set(['session', 'secure', 'signed', 'samesite']), new Set(['cookie', 'cookies'])],
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

const evaluated = new Set([
  'eval',
  'execSync',
  'execFileSync',
  'safe_join',
  'compare_digest',
  'timingSafeEqual',
]);

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

function isPartOfSecurity(identifier: string): boolean {
  return !tables.test(identifier) && wordsOf(identifier).some((word) => parts.has(word));
}

/** Names are split into their words; some words say enough alone, some only in pairs. */
function speaksOfSecurity(identifier: string): boolean {
  if (evaluated.has(identifier) || whole.has(identifier.toLowerCase())) return true;
  const words = wordsOf(identifier);
  if (words.some((word) => alone.has(word)) || alone.has(identifier.toLowerCase())) return true;
  return words.some((word, at) => {
    const next = words[at + 1];
    return next !== undefined && pairs.some(([left, right]) => left.has(word) && right.has(next));
  });
}

function wordsOf(identifier: string): string[] {
  return identifier
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}
