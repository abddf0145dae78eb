// Key formats as their issuers document them, as data. A rule with a group takes out only that group, or the one
// called `value`; order decides which rule names a value that fits several. Every quantifier is bounded and no pattern begins with
// one, so a long line stays cheap.
import type { ValueJudge } from './looks-secret.js';

export interface SecretRule {
  readonly id: string;
  readonly pattern: RegExp;
  /** A text without one of these holds no such value; looked for first, since it is cheap. */
  readonly hints?: readonly string[];
  /** The value is judged before it is taken: names of settings are everywhere, secrets are not. */
  readonly judge?: ValueJudge;
  /** Only in files of these paths. */
  readonly paths?: RegExp;
}

const settingsFile =
  /(?:^|\/)(?:\.env[^/]*|\.npmrc|\.pypirc|\.(?:bash|zsh)(?:rc|_profile)|\.?Dockerfile[^/]*|[^/]+\.(?:env|ini|cfg|conf|properties|toml|ya?ml|tf|tfvars|sh))$/i;
const netrcFile = /(?:^|\/)[._]netrc$/;

/** The part of a setting's name that says it holds a secret, and what follows it. */
const name =
  '(?<name>(?:secret|token|passwd|password|passphrase|pwd|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key|signing[_-]?key|encryption[_-]?key|account[_-]?key|credential)[\\w-]{0,20}(?![\\w-]))';
const quoted = '["\'`](?<value>[^\\s"\'`]{6,300})["\'`]';
/** A colon with the type of a declaration and an equals sign, or a fallback, assigns as well. */
const assigns = '(?::=|=>|={1,3}|\\??:\\s{0,4}[&\\w<>]{2,24}\\s{0,4}=|:|\\|\\||\\?\\?)';

function issued(id: string, pattern: RegExp, ...hints: string[]): SecretRule {
  return { id, pattern, hints };
}

function assigned(pattern: string, paths?: RegExp): SecretRule {
  const rule = {
    id: 'assigned-secret',
    pattern: new RegExp(pattern, 'dgi'),
    judge: 'setting-value',
  } as const;
  return paths === undefined ? rule : { ...rule, paths };
}

const secretRules: readonly SecretRule[] = [
  issued('aws-access-key-id', /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/dg, 'AKIA', 'ASIA', 'ABIA', 'ACCA'),
  {
    id: 'aws-secret-access-key',
    pattern:
      /(?:secret[ _-]?access[ _-]?key|aws[ _-]?secret(?:[ _-]?key)?)["'`]?\]?\s{0,8}(?::=|=>|=|:|>)\s{0,8}["'`]?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/dgi,
    judge: 'mixed',
  },
  issued('github-token', /\bgh[pousr]_[A-Za-z0-9]{36,255}\b/dg, 'ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'),
  issued('github-fine-grained-token', /\bgithub_pat_[A-Za-z0-9_]{50,255}\b/dg, 'github_pat_'),
  issued(
    'gitlab-token',
    /\bgl(?:pat|dt|rt|ptt|soat|cbt|agent|oas|ft|imt)-[\w-]{20,255}/dg,
    ...['pat', 'dt', 'rt', 'ptt', 'soat', 'cbt', 'agent', 'oas', 'ft', 'imt'].map((kind) => `gl${kind}-`),
  ),
  issued('gitlab-token', /\bGR1348941[\w-]{20,50}/dg, 'GR1348941'),
  issued(
    'slack-token',
    /\bxox[abeoprs]-[A-Za-z0-9-]{10,255}|\bxapp-\d-[A-Za-z0-9-]{20,255}/dg,
    'xox',
    'xapp-',
  ),
  issued(
    'slack-webhook',
    /\bhooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9+/]{30,120})/dg,
    'hooks.slack.com',
  ),
  issued(
    'stripe-key',
    /\b(?:[sr]k_(?:live|test|prod)|whsec)_[A-Za-z0-9]{16,255}/dg,
    'k_live_',
    'k_test_',
    'k_prod_',
    'whsec_',
  ),
  issued('anthropic-key', /\bsk-ant-[a-z0-9]{2,20}-[\w-]{20,255}/dg, 'sk-ant-'),
  issued(
    'openai-key',
    /\bsk-(?:proj|svcacct|admin|None|or-v1)-[\w-]{20,255}|\bsk-[A-Za-z0-9]{32,64}\b/dg,
    'sk-',
  ),
  issued('groq-key', /\bgsk_[A-Za-z0-9]{40,64}\b/dg, 'gsk_'),
  issued('xai-key', /\bxai-[A-Za-z0-9]{60,100}\b/dg, 'xai-'),
  issued('perplexity-key', /\bpplx-[A-Za-z0-9]{40,64}\b/dg, 'pplx-'),
  issued('replicate-token', /\br8_[A-Za-z0-9]{37,40}\b/dg, 'r8_'),
  issued('google-api-key', /\bAIza[\w-]{35}/dg, 'AIza'),
  issued(
    'google-oauth',
    /\bGOCSPX-[\w-]{20,60}|\bya29\.[\w-]{20,1000}|(?<![\w/])1\/\/0[\w-]{40,200}/dg,
    'GOCSPX-',
    'ya29.',
    '1//0',
  ),
  issued('npm-token', /\bnpm_[A-Za-z0-9]{36}\b/dg, 'npm_'),
  issued('pypi-token', /\bpypi-AgE[\w-]{50,1000}/dg, 'pypi-AgE'),
  issued('rubygems-key', /\brubygems_[a-f0-9]{48}\b/dg, 'rubygems_'),
  { ...issued('crates-token', /\bcio[A-Za-z0-9]{32}\b/dg, 'cio'), judge: 'mixed' },
  issued('docker-token', /\bdckr_(?:pat|oat)_[\w-]{27,60}/dg, 'dckr_'),
  {
    id: 'docker-auth',
    pattern: /"auth"\s{0,4}:\s{0,4}"([A-Za-z0-9+/]{8,2000}={0,2})"/dg,
    hints: ['"auth"'],
    judge: 'basic',
  },
  issued('huggingface-token', /\bhf_[A-Za-z0-9]{30,60}\b/dg, 'hf_'),
  issued('sendgrid-key', /\bSG\.[\w-]{20,24}\.[\w-]{40,46}/dg, 'SG.'),
  issued('mailgun-key', /\bkey-[a-f0-9]{32}\b/dg, 'key-'),
  issued('mailchimp-key', /\b[a-f0-9]{32}-us\d{1,2}\b/dg, '-us'),
  issued('digitalocean-token', /\bdo[opr]_v1_[a-f0-9]{64}\b/dg, '_v1_'),
  issued('shopify-token', /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b/dg, 'shpat_', 'shpca_', 'shppa_', 'shpss_'),
  issued('square-token', /\bsq0(?:atp|csp|idp)-[\w-]{22,50}/dg, 'sq0'),
  issued('databricks-token', /\bdapi[a-f0-9]{32}(?:-\d)?\b/dg, 'dapi'),
  issued(
    'discord-webhook',
    /\bdiscord(?:app)?\.com\/api\/webhooks\/(\d{15,21}\/[\w-]{50,100})/dg,
    '/api/webhooks/',
  ),
  {
    id: 'discord-bot-token',
    pattern: /(?<![\w.-])[MNO][\w-]{22,28}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])/dg,
    judge: 'mixed',
  },
  issued('telegram-bot-token', /\b\d{8,10}:AA[\w-]{33}(?![\w-])/dg, ':AA'),
  issued(
    'azure-storage-key',
    /\b(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{43,86}={1,2})/dg,
    'AccountKey=',
    'SharedAccessKey=',
  ),
  issued('azure-signature', /[?&]sig=([A-Za-z0-9%+/]{40,90}(?:%3D|=){0,2})/dg, 'sig='),
  {
    id: 'azure-client-secret',
    pattern: /(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])/dg,
    hints: ['Q~'],
    judge: 'mixed',
  },
  issued('age-secret-key', /\bAGE-SECRET-KEY-1[A-Z0-9]{50,70}\b/dgi, 'AGE-SECRET-KEY-1', 'age-secret-key-1'),
  issued('vault-token', /\bhv[sbr]\.[\w-]{24,300}/dg, 'hvs.', 'hvb.', 'hvr.'),
  issued('terraform-token', /\b[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,70}/dg, '.atlasv1.'),
  issued('pulumi-token', /\bpul-[a-f0-9]{40}\b/dg, 'pul-'),
  issued(
    'grafana-token',
    /\bglsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}\b|\bglc_[A-Za-z0-9+/]{32,400}={0,2}/dg,
    'glsa_',
    'glc_',
  ),
  issued('sentry-token', /\bsntry[su]_[\w+/=-]{40,400}/dg, 'sntry'),
  issued('newrelic-key', /\bNRAK-[A-Z0-9]{27}\b/dg, 'NRAK-'),
  issued(
    'doppler-token',
    /\bdp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,100}/dg,
    ...['pt', 'st', 'ct', 'sa', 'scim', 'audit'].map((kind) => `dp.${kind}.`),
  ),
  issued('postman-key', /\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b/dg, 'PMAK-'),
  issued('linear-key', /\blin_(?:api|oauth)_[A-Za-z0-9]{32,64}\b/dg, 'lin_'),
  issued('notion-token', /\bntn_[A-Za-z0-9]{40,60}\b|\bsecret_[A-Za-z0-9]{43}\b/dg, 'ntn_', 'secret_'),
  issued('figma-token', /\bfig[dou]_[\w-]{40,60}/dg, 'figd_', 'figo_', 'figu_'),
  issued('airtable-token', /\bpat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b/dg, 'pat'),
  issued('atlassian-token', /\bATATT3[\w=-]{100,300}|\bATBB[A-Za-z0-9]{24,40}\b/dg, 'ATATT3', 'ATBB'),
  issued('planetscale-token', /\bpscale_(?:tkn|pw|oauth)_[\w.-]{32,64}/dg, 'pscale_'),
  issued('supabase-key', /\bsbp_[a-f0-9]{40}\b|\bsb_secret_[\w-]{20,60}/dg, 'sbp_', 'sb_secret_'),
  issued('dropbox-token', /\bsl\.[\w-]{100,300}/dg, 'sl.'),
  issued('json-web-token', /(?<![\w-])eyJ[\w-]{8,2000}\.eyJ[\w-]{8,8000}\.[\w-]{8,2000}/dg, 'eyJ'),
  { id: 'json-web-key', pattern: /"d"\s{0,4}:\s{0,4}"([\w-]{43,700})"/dg, hints: ['"kty"'], judge: 'mixed' },
  {
    id: 'connection-string',
    pattern: /:\/\/[^\s:/@"'`<>${}]{0,100}:([^\s@/"'`<>${}]{3,200})@(?=[\w[])/dg,
    hints: ['://'],
    judge: 'address-password',
  },
  {
    id: 'connection-string',
    pattern: /(?<=[;"'`&?])\s?(?<name>password|pwd)\s?=\s?(?<value>[^\s;&"'`]{6,200})(?=[;&"'`\s]|$)/dgim,
    judge: 'setting-value',
  },
  {
    id: 'authorization-header',
    pattern:
      /\bauthorization["'`]?\s{0,4}[:=,]\s{0,4}["'`]?(?:basic|bearer|token)\s{1,4}([\w+/=.~-]{16,2000})/dgi,
    judge: 'credential',
  },
  {
    id: 'authorization-header',
    pattern:
      /\bx-(?:api|auth|access|vault|gitlab)-(?:key|token)["'`]?\s{0,4}[:=,]\s{0,4}["'`]?([\w+/=.~-]{16,500})/dgi,
    judge: 'setting-value',
  },
  {
    id: 'npm-auth',
    pattern: /\b_(?:auth(?:Token)?|password)\s{0,4}=\s{0,4}["']?([\w+/=.~-]{12,500})/dg,
    hints: ['_auth', '_password'],
    judge: 'credential',
  },
  {
    id: 'netrc-password',
    pattern: /\blogin\s{1,8}\S{1,100}\s{1,8}password\s{1,8}(\S{3,200})/dg,
    hints: ['login'],
    judge: 'address-password',
  },
  {
    id: 'netrc-password',
    pattern: /\bpassword\s{1,8}(\S{3,200})/dg,
    judge: 'address-password',
    paths: netrcFile,
  },
  {
    id: 'command-password',
    pattern: /\s(?:-u|--user|--proxy-user)[ =]["']?[\w.@-]{1,64}:([^\s"'`$]{6,200})/dg,
    hints: ['-u', '--proxy-user'],
    judge: 'setting-value',
  },
  {
    id: 'command-password',
    pattern: /\bsshpass\s{1,4}-p\s{0,4}["']?([^\s"'`$]{6,200})/dg,
    hints: ['sshpass'],
    judge: 'setting-value',
  },
  assigned(`${name}["'\`]?\\]?\\s{0,8}${assigns}\\s{0,8}${quoted}`),
  // A name and its value as two arguments, two attributes or two fields.
  assigned(
    `(?:define|env|setdefault|set_?property|set|put)\\(\\s{0,4}["'][\\w.-]{0,40}?${name}["']\\s{0,4},\\s{0,8}${quoted}\\s{0,4}\\)`,
  ),
  assigned(
    `\\b(?:name|key)["']?\\s{0,4}[:=]\\s{0,4}["']?[\\w-]{0,40}?${name}["']?\\s{0,4},?\\s{0,60}[+-]?\\s{0,60}["']?value["']?\\s{0,4}[:=]\\s{0,4}["']?(?<value>[^\\s"'\`<>,;)]{6,300})`,
  ),
  assigned(`${name}>(?<value>[^<>\\s]{6,300})</`),
  assigned(`(?<![\\w-])--[\\w-]{0,40}?${name}[= ]["']?(?<value>[^\\s"'\`]{8,300})`),
  assigned(`\\bexport\\s{1,4}\\w{0,40}?${name}=(?<value>[^\\s"'\`#;,]{8,300})`),
  assigned(`${name}\\s{0,8}[=:]\\s{0,8}(?<value>[^\\s"'\`#;,]{6,300})`, settingsFile),
];

/** The first line of a block of YAML that holds one; its lines are judged one by one. */
export const secretBlock = new RegExp(`${name}["']?\\s{0,8}:\\s{0,8}[|>][-+\\d]{0,2}[ \\t]{0,8}\\r?$`, 'gim');

const rareHints = secretRules.flatMap(({ hints = [] }) => hints).filter((hint) => hint.length >= 4);
const anyRareHint = new RegExp(rareHints.map((hint) => hint.replace(/[.?/]/g, '\\$&')).join('|'));

/** The rules that may find something: one look for all of the rare hints spares most texts the others. */
export function rulesFor(text: string, path: string): SecretRule[] {
  const isRare = anyRareHint.test(text);
  return secretRules.filter(
    ({ hints, paths }) =>
      (paths === undefined || paths.test(path)) &&
      (hints === undefined || hints.some((hint) => (isRare || hint.length < 4) && text.includes(hint))),
  );
}
