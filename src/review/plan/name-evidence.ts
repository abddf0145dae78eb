// What names alone say: the path of a file, by the conventions of the common ecosystems, and identifiers that speak of security.
import { lineEnd } from '../../code/line-index.js';
import type { LineRange } from '../../code/range-evidence.js';
import type { Spans } from '../../code/syntax/outline-model.js';
import type { FileSide } from '../units/changed-file.js';
import type { EvidenceName } from './rule.js';

const testPath =
  /(?:^|\/)(?:tests?|specs?|__tests__|__mocks__|testdata|fixtures?|e2e|cypress)\/|(?:[._-](?:test|tests|spec|e2e)\.[a-z]+$)|(?:^|\/)(?:test_[^/]*|conftest)\.py$|_test\.(?:go|py|rb|exs?)$|(?:^|\/)tests\.rs$|(?:Test|Tests|Spec)\.(?:java|kt|cs|php|scala|swift)$/;
const docPath =
  /\.(?:md|mdx|markdown|rst|adoc|txt)$|(?:^|\/)(?:LICENSE|NOTICE|AUTHORS|CONTRIBUTORS|CHANGELOG|CHANGES|README|CODE_OF_CONDUCT)(?:\.[a-z]+)?$/i;
const notDoc =
  /(?:^|\/)(?:requirements|constraints)[^/]*(?:\/[^/]+)?\.txt$|(?:^|\/)CMakeLists\.txt$|(?:^|\/)robots\.txt$/i;
const configFile =
  /\.(?:ya?ml|toml|ini|cfg|conf|properties|tf|tfvars|hcl)$|(?:^|\/)\.env(?:\.[\w-]+)?$|\.env$|(?:^|\/)(?:Dockerfile|Containerfile|Makefile|Procfile|Jenkinsfile|Vagrantfile|CMakeLists\.txt)(?:\.[\w-]+)?$|(?:^|\/)(?:requirements|constraints)(?:[^/]*|\/[^/]+)\.(?:txt|in)$|(?:^|\/)\.(?:flake8|editorconfig|dockerignore|nvmrc)$|(?:^|\/)(?:go\.(?:mod|work)|setup\.py|Cargo\.toml|Gemfile|Rakefile|pom\.xml|[\w.-]*\.gradle(?:\.kts)?|web\.config|settings\.py)$|(?:^|\/)\.[\w-]+(?:rc|ignore|config|attributes)(?:\.(?:js|cjs|mjs|json|ya?ml|ts))?$|\.config\.(?:js|cjs|mjs|ts|cts|mts|json)$|(?:^|\/)(?:package|deno|jsr|bunfig|composer|tsconfig[\w.-]*|nx|turbo|lerna|biome|angular|vercel|netlify|wrangler|appsettings[\w.-]*|renovate)\.jsonc?$/;
const dataFile = /(?:^|\/)(?:locales?|i18n|translations|fixtures?|snapshots?|__snapshots__|testdata)\//;
const lockFile =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|poetry\.lock|uv\.lock|Cargo\.lock|go\.(?:work\.)?sum|composer\.lock|Gemfile\.lock)$/;
const routingFile =
  /(?:^|\/)(?:routes?|routing|urls)\.(?:[cm]?[jt]sx?|py|rb|go|php)$|(?:^|\/)routes\/[^/]+\.(?:[cm]?[jt]sx?|rb|php)$|(?:^|\/)(?:app|pages)\/(?:.*\/)?api\/.*\.[jt]sx?$|(?:^|\/)app\/(?:.*\/)?route\.[jt]s$/;
const migrationPath =
  /(?:^|\/)(?:migrations?|migrate|versions)\/(?:.*\/)?(?:\d{3,}|[vV]\d+_|[0-9a-f]{8,}_|m\d{3,})[^/]*\.(?:py|rb|[jt]s|go|php)$|\.(?:sql|ddl)$/;
const securityPath =
  /(?:^|\/)(?:auth|authn|authz|security|crypto|oauth2?|jwt|csrf|cors|permissions?|acl|rbac|basic-auth|bearer-auth|secure-headers|session|sessions)(?:[./_-]|$)/i;
const examplePath = /(?:^|\/)(?:examples?|samples?|demos?|playground|benchmarks?|bench)\//;

export function pathEvidence(path: string): EvidenceName[] {
  const found: EvidenceName[] = [];
  const test = testPath.test(path);
  const config = configFile.test(path) && !lockFile.test(path) && !dataFile.test(path) && !isTestData(path);
  if (test) found.push('test-path');
  if (!config && docPath.test(path) && !notDoc.test(path) && !lockFile.test(path)) found.push('doc-path');
  if (config) found.push('config-path');
  if (routingFile.test(path) && !test) found.push('routing-path');
  if (migrationPath.test(path) && !test) found.push('migration-path');
  if (securityPath.test(path)) found.push('security-path');
  if (examplePath.test(path)) found.push('example-path');
  return found;
}

function isTestData(path: string): boolean {
  return testPath.test(path) && /\.(?:ya?ml|json|toml|ini|env)$/.test(path) && !/(?:config|rc)\b/.test(path);
}

const alone = new Set(
  (
    'password passwords passwd passphrase secret secrets credential credentials hmac jwt jwk jwks jws csrf xsrf cors oauth oidc saml ' +
    'encrypt encrypted encryption decrypt decryption cipher rsa pbkdf2 bcrypt scrypt argon2 auth authn authz authenticate ' +
    'authenticated authentication authenticator authorize authorized authorization unauthorized permission permissions privilege privileges ' +
    'sudo csp hsts tls ssl x509 certificate certificates keystore rbac acl login logout signin impersonate antiforgery ' +
    'unsafe untrusted pickle subprocess dangerouslysetinnerhtml insecureskipverify'
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
];

const evaluated = new Set([
  'eval',
  'execSync',
  'execFileSync',
  'safe_join',
  'compare_digest',
  'timingSafeEqual',
]);

/** Names are split into their words; some words say enough alone, some only in pairs. */
export function speaksOfSecurity(identifier: string): boolean {
  if (evaluated.has(identifier) || whole.has(identifier.toLowerCase())) return true;
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

/** A value that happens to be called eval evaluates nothing. */
const spoken = /(?!eval\b(?!\s*\())(?<![\p{L}\p{N}_$])[\p{L}_$][\p{L}\p{N}_$]*/gu;

/** The identifiers of a range of lines: what stands in comments and strings does not count. */
export function spokenNames({ text, index, outline }: FileSide, range: LineRange): string[] {
  const last = Math.min(range.endLine, index.count);
  if (range.startLine < 1 || last < range.startLine) return [];
  const start = index.starts[range.startLine - 1]!;
  const end = lineEnd(index, text, last);
  const silent = [...within(outline.comments, start, end), ...within(outline.strings, start, end)];
  silent.sort((a, b) => a[0] - b[0]);
  const names: string[] = [];
  let from = start;
  for (const [at, until] of [...silent, [end, end] as const]) {
    if (at > from) names.push(...(text.slice(from, at).match(spoken) ?? []));
    from = Math.max(from, until);
  }
  return names;
}

function within(spans: Spans, start: number, end: number): [number, number][] {
  const found: [number, number][] = [];
  for (let at = 0; at < spans.length; at += 2)
    if (spans[at]! < end && spans[at + 1]! > start) found.push([spans[at]!, spans[at + 1]!]);
  return found;
}
