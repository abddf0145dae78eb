import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact } from './redact.js';

// Put together here, so that no scanner takes this file for a leak.
const hex = (count: number) => '0123456789abcdef'.repeat(20).slice(3, 3 + count);
const mixed = (count: number) => 'aB3dE7gH1jK9mN5pQ2rS8tU4vW6xY0zC'.repeat(40).slice(0, count);
const upper = (count: number) => 'ABCDEFGH234567QRSTUV'.repeat(8).slice(0, count);
const join = (...parts: string[]) => parts.join('');
const pem = (kind: string, end: 'BEGIN' | 'END') => join('-----', end, ' ', kind, 'PRIVATE KEY-----');

const secrets: [rule: string, text: string, value: string][] = [
  ['aws-access-key-id', 'id = ?', join('AKIA', upper(16))],
  ['aws-secret-access-key', 'aws_secret_access_key = ?', mixed(40)],
  ['github-token', 'curl -H "X: ?"', join('ghp_', mixed(36))],
  ['github-token', 'x ? y', join('ghs_', mixed(40))],
  ['github-fine-grained-token', 'x ? y', join('github_pat_', mixed(22), '_', mixed(59))],
  ['gitlab-token', 'x ? y', join('glpat-', mixed(20))],
  ['slack-token', 'x ? y', join('xoxb-', '123456789012-', mixed(24))],
  [
    'slack-webhook',
    'https://hooks.slack.com/services/?',
    join('T', upper(8), '/B', upper(8), '/', mixed(24)),
  ],
  ['stripe-key', 'x ? y', join('sk_', 'live_', mixed(24))],
  ['anthropic-key', 'x ? y', join('sk-', 'ant-api03-', mixed(80))],
  ['openai-key', 'x ? y', join('sk-', 'proj-', mixed(60))],
  ['openai-key', 'x ? y', join('sk-', mixed(48))],
  ['google-api-key', 'x ? y', join('AIza', mixed(35))],
  ['google-oauth', 'x ? y', join('GOCSPX-', mixed(28))],
  ['npm-token', 'x ? y', join('npm_', mixed(36))],
  ['pypi-token', 'x ? y', join('pypi-', 'AgEIcHlwaS5vcmc', mixed(60))],
  ['huggingface-token', 'x ? y', join('hf_', mixed(34))],
  ['sendgrid-key', 'x ? y', join('SG.', mixed(22), '.', mixed(43))],
  ['digitalocean-token', 'x ? y', join('dop_v1_', hex(64))],
  ['shopify-token', 'x ? y', join('shpat_', hex(32))],
  ['telegram-bot-token', 'x ? y', join('123456789', ':AA', mixed(33))],
  ['azure-storage-key', 'EndpointSuffix=x;AccountKey=?', join(mixed(86), '==')],
  ['json-web-token', 'x ? y', join('eyJ', mixed(20), '.eyJ', mixed(30), '.', mixed(43))],
  ['connection-string', 'postgres://app:?@db.internal:5432/app', 'hunter2!x'],
  ['connection-string', 'DATABASE=mysql://root:?@localhost/x', mixed(12)],
  ['authorization-header', '"Authorization": "Bearer ?"', mixed(32)],
  ['npm-auth', '//registry.example/:_authToken=?', mixed(24)],
  ['assigned-secret', "const apiKey = '?';", mixed(24)],
  ['assigned-secret', '"client_secret": "?"', 'Zk4!pq9-Lm2x'],
  ['assigned-secret', 'password: "?"', 'correct-h0rse!'],
];

describe('redact', () => {
  it.each(secrets)('takes out %s and names the rule', (rule, line, value) => {
    const text = `+before\n+${line.replace('?', value)}\n+after\n`;
    const redacted = redact(text);
    expect(redacted.text).not.toContain(value);
    expect(redacted.text).toContain(`[redacted:${rule}]`);
    expect(redacted.hits).toMatchObject([{ rule }]);
    expect(redacted.text.split('\n')).toHaveLength(text.split('\n').length);
    expect(redact(redacted.text)).toEqual({ text: redacted.text, hits: [] });
  });

  it.each([
    'const password = process.env.PASSWORD;',
    "const token = 'undefined';",
    'password: "$DATABASE_PASSWORD1"',
    'apiKey: "your-api-key-here"',
    "label.password = 'Password';",
    "secret: 'xxxxxxxxxxxxxxxx'",
    "tokenType: 'access_token'",
    "import { passwordStrength } from './password-strength.js';",
    'const tokens = meter.weigh("some text of a page");',
    'https://example.com:8080/path@2x.png',
    'the sha is 3f786850e387550fdab836ed7e6dc881de23001b',
    "integrity: 'sha512-no-secret-here'",
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4',
  ])('leaves %s as it is', (line) => {
    expect(redact(`+${line}\n`)).toEqual({ text: `+${line}\n`, hits: [] });
  });

  it('takes bare values only where files hold settings', () => {
    const line = `+DB_PASSWORD=${mixed(16)}\n`;
    expect(redact(line, 'config/.env.production').hits).toMatchObject([{ rule: 'assigned-secret' }]);
    expect(redact(line, 'src/a.ts').hits).toEqual([]);
  });

  it.each([
    ['whole', (body: string[]) => [pem('RSA ', 'BEGIN'), ...body, pem('RSA ', 'END')]],
    ['without its end', (body: string[]) => [pem('', 'BEGIN'), ...body, 'the next line of prose, unharmed.']],
    ['without its beginning', (body: string[]) => ['a line of prose, unharmed.', ...body, pem('EC ', 'END')]],
  ])('takes out a private key that is %s, line by line', (_, key) => {
    const body = [mixed(64), mixed(64).replace('a', 'Z'), join(mixed(30), '==')];
    const text = key(body)
      .map((line) => `+${line}\n`)
      .join('');
    const redacted = redact(text);
    for (const line of body) expect(redacted.text).not.toContain(line.slice(0, 12));
    expect(redacted.text.split('\n')).toHaveLength(text.split('\n').length);
    for (const line of redacted.text.trimEnd().split('\n')) expect(line).toMatch(/^\+/);
    expect(redacted.text.includes('unharmed')).toBe(text.includes('unharmed'));
    expect(new Set(redacted.hits.map(({ rule }) => rule))).toEqual(new Set(['private-key']));
  });

  it('takes out a private key inside a string', () => {
    const text = `+const key = "${pem('', 'BEGIN')}\\n${mixed(64)}\\n${mixed(20)}\\n${pem('', 'END')}\\n";\n`;
    const redacted = redact(text).text;
    expect(redacted).not.toContain(mixed(12));
    expect(redacted).toContain('";');
  });

  it('keeps the lines of any text, and everything that no rule names', () => {
    const part = fc.oneof(
      fc.string(),
      fc.constantFrom('\n', '+', ' = "', '"', ...secrets.map(([, , value]) => value)),
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join('');
        const redacted = redact(text);
        expect(redacted.text.split('\n')).toHaveLength(text.split('\n').length);
        expect(redacted.hits.length === 0).toBe(redacted.text === text);
      }),
    );
  });

  it('is fast on long lines that almost match', () => {
    for (const text of [
      'aws '.repeat(50_000),
      'password'.repeat(30_000),
      'a://'.repeat(50_000),
      'eyJ'.repeat(80_000),
    ])
      expect(redact(text).text).toBe(text);
  });
});
