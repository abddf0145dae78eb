// How much does it matter that a file is seen? Decided by its path alone; the order in which files stay when pages are few.

export type PathClass = 'security' | 'config' | 'routing' | 'source' | 'other' | 'test' | 'docs';

/** Higher stays longer. */
export const classRank: Readonly<Record<PathClass, number>> = {
  security: 6,
  config: 5,
  routing: 5,
  source: 4,
  other: 2,
  test: 1,
  docs: 0,
};

const test =
  /(^|\/)(__tests__|__mocks__|__snapshots__|tests?|specs?|e2e|fixtures|testdata)\/|[._-](test|spec)s?\.[^/]+$|_test\.[a-z]+$|(^|\/)test_[^/]+\.py$|Tests?\.(java|kt|cs|swift|scala|php)$|\.snap$/;
const docs =
  /(^|\/)(docs?|documentation|examples?)\/|\.(md|mdx|rst|adoc|txt)$|(^|\/)(LICENSE|CHANGELOG|AUTHORS|CONTRIBUTING)[^/]*$/i;
const security =
  /(^|[/._-])(auth|authn|authz|security|permissions?|crypto|passwords?|tokens?|sessions?|login|oauth|jwt|csrf|cors|acl|rbac|secrets?)([/._-]|$)/i;
const routing = /(^|[/._-])(routes?|routers?|routing|urls|endpoints?|middlewares?)([/._-]|$)/i;
const config =
  /(^|\/)(Dockerfile|Makefile|Jenkinsfile|Procfile|package\.json|tsconfig[^/]*\.json|go\.mod|Cargo\.toml|pyproject\.toml|pom\.xml|build\.gradle(\.kts)?|settings\.gradle(\.kts)?|\.env[^/]*)$|(^|\/)(\.github|\.gitlab|\.circleci|k8s|helm|terraform|migrations?)\/|\.(tf|hcl|ini|toml|properties)$|(^|[/._-])config([/._-]|$)|\.ya?ml$/i;
const source =
  /\.(c|cc|cpp|cxx|h|hh|hpp|cs|go|java|kt|kts|scala|groovy|gradle|js|cjs|mjs|jsx|ts|cts|mts|tsx|vue|svelte|astro|py|pyi|rb|php|rs|swift|m|mm|lua|pl|r|ex|exs|erl|hs|clj|dart|sql|sh|bash|zsh|ps1|proto|graphql|gql|zig|nim|ml|fs|jl|sol)$/i;

export function pathClass(path: string): PathClass {
  if (test.test(path)) return 'test';
  if (docs.test(path)) return 'docs';
  if (security.test(path)) return 'security';
  if (config.test(path)) return 'config';
  if (routing.test(path)) return 'routing';
  return source.test(path) ? 'source' : 'other';
}

export function riskByPath(path: string): number {
  return classRank[pathClass(path)];
}
