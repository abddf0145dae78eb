// Key formats as their issuers document them, as data. A rule that names a group takes out only that group; order decides which
// rule names a value that fits several.

export interface SecretRule {
  readonly id: string;
  readonly pattern: RegExp;
  /** The value is judged before it is taken: names of settings are everywhere, secrets are not. */
  readonly assigned?: true;
  /** Only in files of these paths. */
  readonly paths?: RegExp;
}

const settingsFile =
  /(?:^|\/)(?:\.env[^/]*|\.npmrc|\.pypirc|\.netrc|Dockerfile[^/]*|[^/]+\.(?:env|ini|cfg|conf|properties|toml|ya?ml|tfvars|sh))$/i;
const names =
  '[\\w.-]{0,40}(?:secret|token|passwd|password|passphrase|pwd|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key|credential)[\\w-]{0,20}';

export const secretRules: readonly SecretRule[] = [
  { id: 'aws-access-key-id', pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/dg },
  {
    id: 'aws-secret-access-key',
    pattern: /aws[^\n]{0,40}?(?:secret|key)[^\n]{0,20}?["'`:= ]([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/dgi,
  },
  { id: 'github-token', pattern: /\bgh[pousr]_[A-Za-z0-9]{36,255}\b/dg },
  { id: 'github-fine-grained-token', pattern: /\bgithub_pat_[A-Za-z0-9_]{50,255}\b/dg },
  { id: 'gitlab-token', pattern: /\bgl(?:pat|dt|rt|ptt|soat|cbt|agent|oas|ft|imt)-[\w-]{20,255}/dg },
  { id: 'slack-token', pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,255}|\bxapp-\d-[A-Za-z0-9-]{20,255}/dg },
  {
    id: 'slack-webhook',
    pattern: /\bhooks\.slack\.com\/(?:services|workflows)\/([A-Za-z0-9+/]{30,120})/dg,
  },
  { id: 'stripe-key', pattern: /\b(?:[sr]k_(?:live|test|prod)|whsec)_[A-Za-z0-9]{16,255}/dg },
  { id: 'anthropic-key', pattern: /\bsk-ant-[a-z0-9]{2,20}-[\w-]{20,255}/dg },
  { id: 'openai-key', pattern: /\bsk-(?:proj|svcacct|admin|None)-[\w-]{20,255}|\bsk-[A-Za-z0-9]{32,64}\b/dg },
  { id: 'google-api-key', pattern: /\bAIza[\w-]{35}/dg },
  { id: 'google-oauth', pattern: /\bGOCSPX-[\w-]{20,60}|\bya29\.[\w-]{20,1000}/dg },
  { id: 'npm-token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/dg },
  { id: 'pypi-token', pattern: /\bpypi-AgE[\w-]{50,1000}/dg },
  { id: 'huggingface-token', pattern: /\bhf_[A-Za-z0-9]{30,60}\b/dg },
  { id: 'sendgrid-key', pattern: /\bSG\.[\w-]{20,24}\.[\w-]{40,46}/dg },
  { id: 'digitalocean-token', pattern: /\bdo[opr]_v1_[a-f0-9]{64}\b/dg },
  { id: 'shopify-token', pattern: /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b/dg },
  { id: 'telegram-bot-token', pattern: /\b\d{8,10}:AA[\w-]{33}(?![\w-])/dg },
  { id: 'azure-storage-key', pattern: /\bAccountKey=([A-Za-z0-9+/]{86}==)/dg },
  { id: 'json-web-token', pattern: /\beyJ[\w-]{8,2000}\.eyJ[\w-]{8,8000}\.[\w-]{8,2000}/dg },
  {
    id: 'connection-string',
    pattern: /\b[a-z][a-z0-9+.-]{1,30}:\/\/[^\s:/@"'`<>${}]{0,100}:([^\s@/"'`<>${}]{3,200})@/dgi,
  },
  {
    id: 'authorization-header',
    pattern:
      /\bauthorization["'`]?\s{0,4}[:=,]\s{0,4}["'`]?(?:basic|bearer|token)\s+([\w+/=.~-]{16,2000})/dgi,
  },
  { id: 'npm-auth', pattern: /\b_auth(?:Token)?\s{0,4}=\s{0,4}["']?([\w+/=.~-]{12,500})/dg },
  {
    id: 'assigned-secret',
    pattern: new RegExp(
      `\\b${names}["'\`]?\\]?\\s{0,8}(?::=|=>|=|:)\\s{0,8}["'\`]([^\\s"'\`]{8,300})["'\`]`,
      'dgi',
    ),
    assigned: true,
  },
  {
    id: 'assigned-secret',
    pattern: new RegExp(`\\b${names}\\s{0,8}[=:]\\s{0,8}([^\\s"'\`#;,]{8,300})`, 'dgi'),
    assigned: true,
    paths: settingsFile,
  },
];
