// What the path of a file says, by the conventions of the common ecosystems.
import type { EvidenceName } from './rule.js';

const testPath =
  /(?:^|\/)(?:tests?(?:[_-](?:e2e|unit|integration|functional|browser|system))?|specs?|__tests__|__mocks__|test[dD]ata|test[fF]ixtures|fixtures?|e2e|cypress|[\w.-]*[\w][-_.][tT]ests?|\w*[a-z0-9]Tests?)\/|(?:^|\/)tests?\.(?:c|cc|cpp|py|rb|js|ts|php)$|(?:^|\/)t\/[^/]+\.(?:c|h|t|pl|pm|sh)$|(?:[._-](?:test|tests|spec|e2e|tst)(?:-d)?\.[a-z]+$)|(?:^|\/)(?:test_[^/]*|conftest)\.py$|_test\.(?:go|py|rb|exs?)$|(?:^|\/)tests\.rs$|(?:Test|Tests|Spec)\.(?:java|kt|cs|php|scala|swift)$/;
const docPath =
  /\.(?:md|mdx|markdown|rst|adoc|txt)$|(?:^|\/)(?:LICENSE|NOTICE|AUTHORS|CONTRIBUTORS|CHANGELOG|CHANGES|README|CODE_OF_CONDUCT)(?:\.[a-z]+)?$/i;
const notDoc =
  /(?:^|\/)(?:requirements|constraints)[^/]*(?:\/[^/]+)?\.txt$|(?:^|\/)CMakeLists\.txt$|(?:^|\/)robots\.txt$/i;
const configFile =
  /\.(?:ya?ml|toml|ini|cfg|conf|properties|tf|tfvars|hcl|neon|sln|slnx|[cfv]sproj|vbproj|vcxproj|props|targets|gemspec)(?:\.dist)?$|(?:^|\/)(?:phpunit|phpcs|psalm|checkstyle|spotbugs|pmd)[\w.-]*\.xml(?:\.dist)?$|(?:^|\/)\.env(?:\.[\w-]+)?$|\.env$|(?:^|\/)(?:Dockerfile|Containerfile|Makefile|Procfile|Jenkinsfile|Vagrantfile|CMakeLists\.txt)(?:\.[\w-]+)?$|(?:^|\/)(?:requirements|constraints)(?:[^/]*|\/[^/]+)\.(?:txt|in)$|(?:^|\/)\.(?:flake8|editorconfig|dockerignore|nvmrc)$|(?:^|\/)(?:go\.(?:mod|work)|setup\.py|Cargo\.toml|Gemfile|Rakefile|pom\.xml|[\w.-]*\.gradle(?:\.kts)?|web\.config|settings\.py)$|(?:^|\/)\.[\w-]+(?:rc|ignore|config|attributes)(?:\.(?:js|cjs|mjs|json|ya?ml|ts))?$|\.config\.(?:js|cjs|mjs|ts|cts|mts|json)$|(?:^|\/)(?:package|deno|jsr|bunfig|composer|tsconfig[\w.-]*|nx|turbo|lerna|biome|angular|vercel|netlify|wrangler|appsettings[\w.-]*|renovate)\.jsonc?$/;
const dataFile = /(?:^|\/)(?:locales?|i18n|translations|fixtures?|snapshots?|__snapshots__|testdata)\//;
const lockFile =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|poetry\.lock|uv\.lock|Cargo\.lock|go\.(?:work\.)?sum|composer\.lock|Gemfile\.lock)$/;
const routingFile =
  /(?:^|\/)(?:routes?|routing|urls)\.(?:[cm]?[jt]sx?|py|rb|go|php)$|(?:^|\/)routes\/[^/]+\.(?:[cm]?[jt]sx?|rb|php)$|(?:^|\/)(?:app|pages)\/(?:.*\/)?api\/.*\.[jt]sx?$|(?:^|\/)app\/(?:.*\/)?route\.[jt]s$/;
const migrationPath =
  /(?:^|\/)(?:migrations?|migrate|versions)\/(?:.*\/)?(?:\d{3,}|[vV]\d+_|[0-9a-f]{8,}_|m\d{3,})[^/]*\.(?:py|rb|[jt]s|go|php)$|\.(?:sql|ddl)$/;
const securityPath =
  /(?:^|\/)(?:auth|authn|authz|security|crypto|oauth2?|jwt|csrf|cors|permissions?|acl|rbac|basic-auth|bearer-auth|secure-headers|session|sessions)(?:[./_-]|$)/i;
const examplePath =
  /(?:^|\/)(?:[eE]xamples?|[sS]amples?|[dD]emos?|[pP]layground|[bB]enchmarks?|bench(?:es)?)\//;

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
