// Draws units that a tag was given to, for a reader to label: is the tag true of what the change does to this unit? Evenly spaced
// over the units of each repository, so the same on every run. The repositories are divided before any unit is read: from `dev` one
// learns what is wrong, `test` is read once, when the rules are final, `reserve` once more where they were mended after it.
// Usage: tag-sample <half|all> <file> [--tags a,b] [--each n] [--commits n] [--skip n] [repository …]
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isGalleyError } from '../src/core/model/error.js';
import { readChangeSet } from '../src/git/changes/read-change-set.js';
import { openRepository } from '../src/git/repository/open-repository.js';
import { prune } from '../src/review/change/prune.js';
import { planUnits } from '../src/review/plan/plan-review.js';
import type { JudgedUnit } from '../src/review/plan/planner-index.js';
import { mirrorRoot } from './quality/repositories.js';

/** Once looked at, a repository is used up: the former halves are here to be passed over by the next. */
const halves: Readonly<Record<string, readonly string[]>> = {
  dev: (
    'vvo/iron-session umami-software/umami binwiederhier/ntfy Eugeny/russh quinn-rs/quinn sissbruecker/linkding jwtk/jjwt ' +
    'brettwooldridge/HikariCP Kunzisoft/KeePassDX restsharp/RestSharp lobsters/lobsters spatie/laravel-permission ' +
    'yhirose/cpp-httplib auth0/Auth0.swift'
  ).split(' '),
  test: (
    'nodejs/undici labstack/echo go-acme/lego tower-rs/tower-http pennersr/django-allauth auth0/java-jwt InsertKoinIO/koin ' +
    'App-vNext/Polly thoughtbot/clearance guzzle/guzzle h2o/picotls Alamofire/Alamofire'
  ).split(' '),
  reserve: (
    'panva/jose jaredhanson/passport golang-jwt/jwt Keats/jsonwebtoken jpadilla/pyjwt spring-projects/spring-authorization-server ' +
    'jwt/ruby-jwt CanCanCommunity/cancancan firebase/php-jwt PHPMailer/PHPMailer krzyzanowskim/CryptoSwift apple/swift-certificates'
  ).split(' '),
  'second-reserve': (
    'nextauthjs/next-auth auth0/node-jsonwebtoken ory/fosite casbin/casbin gofiber/fiber actix/actix-web RustCrypto/AEADs ' +
    'mpdavis/python-jose pallets/werkzeug SAML-Toolkits/ruby-saml delight-im/PHP-Auth thephpleague/oauth2-client ' +
    'kishikawakatsumi/KeychainAccess wolfSSL/wolfssh tink-crypto/tink-java IdentityServer/IdentityServer4'
  ).split(' '),
  'third-test': (
    'nanostores/nanostores schollz/croc knadh/koanf dbader/schedule marshmallow-code/marshmallow jhy/jsoup ajalt/clikt ' +
    'JoshClose/CsvHelper sinatra/mustermann twigphp/Twig DaveGamble/cJSON onevcat/Kingfisher'
  ).split(' '),
  'second-test': (
    'h3js/h3 pocketbase/pocketbase miniflux/v2 alexedwards/scs casey/just str4d/rage sudo-rs/sudo-rs paramiko/paramiko mwiede/jsch ' +
    'javalin/javalin android-password-store/Android-Password-Store jstedfast/MailKit rack/rack-attack ankane/lockbox ' +
    'laravel/fortify slimphp/Slim civetweb/civetweb vapor/vapor'
  ).split(' '),
  'first-test': (
    'MasterKale/SimpleWebAuthn linkwarden/linkwarden oauth2-proxy/oauth2-proxy gotify/server dani-garcia/vaultwarden ' +
    'ronf/asyncssh Kludex/starlette hierynomus/sshj beemdevelopment/Aegis bitfireAT/davx5-ose ThreeMammals/Ocelot ' +
    'StackExchange/StackExchange.Redis heartcombo/devise omniauth/omniauth lcobucci/jwt wallabag/wallabag libssh2/libssh2 ' +
    'mobile-shell/mosh vapor/jwt-kit'
  ).split(' '),
  'former-dev': (
    'authlib/authlib dexidp/dex thephpleague/oauth2-server doorkeeper-gem/doorkeeper rustls/rustls panva/node-oidc-provider ' +
    'bitwarden/server apache/shiro redis/hiredis bitwarden/android lucia-auth/lucia aio-libs/aiohttp thephpleague/flysystem nestjs/nest'
  ).split(' '),
  'former-test': (
    'better-auth/better-auth jazzband/django-oauth-toolkit nats-io/nats-server gorilla/csrf launchbadge/sqlx pac4j/pac4j ' +
    'openid/AppAuth-Android openiddict/openiddict-core serilog/serilog varvet/pundit sidekiq/sidekiq cakephp/authentication ' +
    'paragonie/halite Mbed-TLS/mbedtls coil-kt/coil redis/jedis'
  ).split(' '),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tags: { type: 'string', default: '' },
    each: { type: 'string', default: '3' },
    commits: { type: 'string', default: '30' },
    skip: { type: 'string', default: '0' },
  },
});
const [half = 'dev', out = 'tag-sample.txt', ...named] = positionals;
const each = Number(values.each);
const wanted = values.tags === '' ? undefined : values.tags.split(',');
/** Units without any of the tags that take most reading; for what the rules miss. */
const neither = 'neither';
const looked = ['security_sensitive', 'near_security', 'error_handling'];
const beside = [
  'test_code',
  'documentation',
  'comment_only',
  'import_only',
  'whitespace_only',
  'config_file',
];
const largestChange = 25;
const shownLines = 26;

interface Drawn extends JudgedUnit {
  readonly repo: string;
  readonly commit: string;
}

const byTag = new Map<string, Drawn[]>();
const totals = new Map<string, number>();
const drawn = half === 'all' ? Object.values(halves).flat() : (halves[half] ?? []);
for (const repo of named.length > 0 ? named : drawn) {
  const folder = join(mirrorRoot, repo.replace('/', '+'), 'repo');
  if (!existsSync(folder)) continue;
  const found = new Map<string, Drawn[]>();
  const repository = await openRepository(folder);
  for (const commit of commitsOf(folder)) {
    try {
      const change = await readChangeSet(repository, { mode: 'commit', commit });
      const { kept } = await prune(repository, change);
      const entries = kept.filter(({ path }) => isRead(path));
      if (entries.length > largestChange) continue;
      const { judged } = await planUnits(repository, change, { entries });
      for (const one of judged)
        for (const tag of tagsOf(one.verdict.tags))
          found.set(tag, [...(found.get(tag) ?? []), { ...one, repo, commit }]);
    } catch (error) {
      if (!isGalleyError(error)) throw error;
      console.error(repo, commit.slice(0, 8), error.code);
    }
  }
  await repository.close();
  for (const [tag, list] of found) {
    totals.set(tag, (totals.get(tag) ?? 0) + list.length);
    const count = Math.min(each, list.length);
    const picked = Array.from(
      { length: count },
      (_, at) => list[Math.floor(((at + 0.5) * list.length) / count)]!,
    );
    byTag.set(tag, [...(byTag.get(tag) ?? []), ...picked]);
  }
  console.error(repo);
}

let id = 0;
const text = [...byTag]
  .filter(([tag]) => wanted?.includes(tag) ?? tag !== neither)
  .flatMap(([tag, list]) => [
    `\n######## ${tag}: ${list.length} of ${totals.get(tag)}`,
    ...list.map(written),
  ]);
writeFileSync(out, `${text.join('\n')}\n`);
console.log(JSON.stringify(Object.fromEntries(totals)));

function commitsOf(folder: string): string[] {
  const log = ['log', '--no-merges', '--format=%H', `--skip=${values.skip}`, '-n', values.commits];
  const paths = [
    '.',
    ...['*.md', '*.lock', '*.json', '*.yml', '*.toml', '.github', 'CHANGELOG*', 'go.sum', 'go.mod'].map(
      (path) => `:!${path}`,
    ),
  ];
  return execFileSync('git', ['-C', folder, ...log, '--', ...paths], { encoding: 'utf8' })
    .trim()
    .split('\n');
}

function isRead(path: string): boolean {
  return !/(?:^|\/)(?:node_modules|vendor|dist)\//.test(path) && !/\.(?:lock|md|json)$/.test(path);
}

function tagsOf(tags: readonly string[]): readonly string[] {
  return [...looked, ...beside].some((tag) => tags.includes(tag)) ? tags : [...tags, neither];
}

function written({ repo, commit, unit, verdict }: Drawn): string {
  id += 1;
  const lines = unit.lines.map(({ kind, text }) => `${kind === 'added' ? '+' : '-'}${text.slice(0, 170)}`);
  const more = lines.length > shownLines ? [` … ${lines.length} lines`] : [];
  const head = `\n#### ${id} ${repo} ${commit.slice(0, 8)} ${unit.path} :: ${unit.chain.join(' > ')}  [${verdict.tags.join(' ')}]`;
  return [head, ...lines.slice(0, shownLines), ...more].join('\n');
}
