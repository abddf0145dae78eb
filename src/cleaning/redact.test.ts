import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact } from './redact.js';
import { hex, mixed, nearMisses, pem, secretSamples } from './testing/secret-samples.js';

const lines = (count: number, width = 64) =>
  Array.from({ length: count }, (_, at) => mixed(width + 5).slice(at % 5, (at % 5) + width));
const added = (all: readonly string[]) => all.map((line) => `+${line}\n`).join('');

describe('the removal of secrets', () => {
  it.each(secretSamples)('takes out $rule in $text [R16]', ({ rule, text: line, value, path }) => {
    const text = `+before\n+${line.replace('¿', value)}\n+after\n`;
    const redacted = redact(text, path);
    expect(redacted.text).not.toContain(value);
    expect(redacted.text).toContain(`[redacted:${rule}]`);
    expect(redacted.hits).toMatchObject([{ rule }]);
    expect(redacted.text.split('\n')).toHaveLength(text.split('\n').length);
    expect(redact(redacted.text, path)).toEqual({ text: redacted.text, hits: [] });
  });

  it('knows sixty kinds and more, and as many that are none [R16]', () => {
    expect(secretSamples.length).toBeGreaterThanOrEqual(60);
    expect(nearMisses.length).toBeGreaterThanOrEqual(60);
  });

  it.each(nearMisses.map((miss) => (typeof miss === 'string' ? ([miss, ''] as const) : miss)))(
    'leaves %s as it is %s [R16]',
    (line, path) => {
      expect(redact(`+${line}\n`, path)).toEqual({ text: `+${line}\n`, hits: [] });
    },
  );

  it('takes bare values only where files hold settings', () => {
    const line = `+DB_PASSWORD=${mixed(16)}\n`;
    expect(redact(line, 'config/.env.production').hits).toMatchObject([{ rule: 'assigned-secret' }]);
    expect(redact(line, 'src/a.ts').hits).toEqual([]);
  });

  it.each([
    ['whole', (body: string[]) => [pem('RSA ', 'BEGIN'), ...body, pem('RSA ', 'END')]],
    ['without its end', (body: string[]) => [pem('', 'BEGIN'), ...body, 'the next line of prose, unharmed.']],
    ['without its beginning', (body: string[]) => ['a line of prose, unharmed.', ...body, pem('EC ', 'END')]],
    [
      'seen from its first line on',
      (body: string[]) => [`MIIEpAIBAAKCAQEA${mixed(48)}`, ...body.slice(0, 2)],
    ],
  ])('takes out a private key that is %s, line by line [R16]', (_, key) => {
    const body = [mixed(64), mixed(64).replace('a', 'Z'), `${mixed(30)}==`];
    const text = added(key(body));
    const redacted = redact(text);
    for (const line of body) expect(redacted.text).not.toContain(line.slice(0, 12));
    expect(redacted.text.split('\n')).toHaveLength(text.split('\n').length);
    for (const line of redacted.text.trimEnd().split('\n')) expect(line).toMatch(/^\+/);
    expect(redacted.text.includes('unharmed')).toBe(text.includes('unharmed'));
    expect(redacted.hits).toMatchObject([{ rule: 'private-key' }]);
  });

  it('counts a private key once, on however many lines, and two of them twice', () => {
    const key = [pem('', 'BEGIN'), ...lines(3), 'Q5xZ==', pem('', 'END')];
    expect(redact(added([...key, 'const other = 1;', ...key])).hits).toHaveLength(2);
    expect(redact(added([...key, ...key])).hits).toHaveLength(2);
    expect(redact(`+const key = "${key.join('\\n')}";\n`).hits).toHaveLength(1);
  });

  it('takes out the end of a key whose last line is short [R16]', () => {
    const { text } = redact(added([...lines(3), 'Q5xZ==', pem('', 'END')]));
    for (const line of lines(3)) expect(text).not.toContain(line);
    expect(text).not.toContain('Q5xZ');
  });

  it.each(['deploy/id_rsa', 'certs/private-2024.pem', 'tls/host.key', 'auth/AuthKey.p8'])(
    'takes out the middle of a key in %s, where neither end is seen [R16]',
    (path) => {
      const { text } = redact(added(lines(7)), path);
      for (const line of lines(7)) expect(text).not.toContain(line);
    },
  );

  it('leaves certificates, public keys, source maps and lists of digests alone [R16]', () => {
    const block = (name: string, body: string[]) => [
      `-----BEGIN ${name}-----`,
      ...body,
      `-----END ${name}-----`,
    ];
    for (const text of [
      added(block('CERTIFICATE', [`MIIDdzCCAl+gAwIBAgIE${mixed(44)}`, ...lines(12), `${mixed(20)}==`])),
      added(block('PUBLIC KEY', [`MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A${mixed(32)}`, ...lines(5)])),
    ])
      expect(redact(text, 'certs/server.pem').hits).toEqual([]);
    for (const text of [
      added([`MIIDdzCCAl+gAwIBAgIE${mixed(44)}`, ...lines(12)]),
      added(Array.from({ length: 20 }, () => hex(64))),
      `+{"version":3,"mappings":"${'AAAA,IAAM,CAAC,GAAG,'.repeat(200)}"}\n`,
      added(lines(40, 76).map((line) => `  "${line}",`)),
    ])
      expect(redact(text, 'src/a.ts').hits).toEqual([]);
  });

  it('takes out a private key inside a string', () => {
    const text = `+const key = "${pem('', 'BEGIN')}\\n${mixed(64)}\\n${mixed(20)}\\n${pem('', 'END')}\\n";\n`;
    const redacted = redact(text).text;
    expect(redacted).not.toContain(mixed(12));
    expect(redacted).toContain('";');
  });

  it.each(['\u200b', '\u2060', '\ufeff', '\u00ad', '\u{e0041}', '\ufe0f'])(
    'takes out a key that U+%o splits, and says where it stood [R16]',
    (splitter) => {
      const key = `ghp_${mixed(20)}${splitter}${mixed(16)}`;
      const text = `+a${splitter}b\n+const x = ${key} + 1;\n`;
      const redacted = redact(text);
      expect(redacted.text).toBe(`+a${splitter}b\n+const x = [redacted:github-token] + 1;\n`);
      expect(redacted.hits).toEqual([{ rule: 'github-token', offset: text.indexOf('ghp_') }]);
    },
  );

  it('keeps the lines of any text, and everything that no rule names', () => {
    const part = fc.oneof(
      fc.string(),
      fc.constantFrom('\n', '+', ' = "', '"', '\u200b', ...secretSamples.map(({ value }) => value)),
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

  it.each([
    ...[
      'a',
      'aws key ',
      'password',
      'password: "',
      '://a:b',
      'eyJ-',
      'eyJaaaaaaaa.',
      '--',
      'name: token ',
      'a\u200b',
    ],
    ...['token <', 'set("token', 'deadbeef', 'xoxb-', '+', '\n ', 'password: |\n', 'MIIEpAIBAAKCAQEA'],
    ...[pem('', 'BEGIN'), pem('', 'END'), `${pem('', 'BEGIN')}${'+'.repeat(19_000)}x`],
  ])('takes time in proportion on megabytes of %j [R16]', (part) => {
    const text = part.repeat(Math.ceil(2_000_000 / part.length));
    expect(redact(text, '.env').text.length).toBeGreaterThan(0);
  });
});
