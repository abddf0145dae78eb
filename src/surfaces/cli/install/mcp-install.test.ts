import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { withJsonEntry, withoutJsonEntry } from './json-entry.js';
import { withoutTomlEntry, withTomlEntry } from './toml-entry.js';

const root = mkdtempSync(join(tmpdir(), 'galley-install-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const entry = { command: 'galley', args: ['mcp'] };

describe('an entry in a JSON configuration', () => {
  it('keeps comments, order and formatting of everything else', () => {
    const before = `{
    // ours
    "inputs": [],
    "servers": {
        "other": { "command": "x" }, // keep me
        /* and me */
    },
}
`;
    expect(withJsonEntry(before, 'servers', entry)).toBe(`{
    // ours
    "inputs": [],
    "servers": {
        "other": { "command": "x" }, // keep me
        /* and me */
        "galley": {
            "command": "galley",
            "args": [
                "mcp"
            ]
        }
    },
}
`);
  });

  it.each([
    ['{}\n'],
    ['{"mcpServers":{}}'],
    ['{"mcpServers":{"a":{"command":"x"}}}'],
    ['{"mcpServers":{"a":{"command":"x"},}}'],
    ['{\r\n\t"mcpServers": {\r\n\t\t"a": {}\r\n\t}\r\n}\r\n'],
    ['{\n  "mcpServers": { "a": {} }\n}\n'],
    ['{\n  "mcpServers": {\n  }\n}\n'],
    ['\uFEFF{\n  "other": 1\n}\n'],
    ['{\n  "other": 1 // last\n}'],
  ])('is put into %j, found there again, and comes out without a trace of the others', (before) => {
    const after = withJsonEntry(before, 'mcpServers', entry);
    const read = parseLoosely(after);
    expect(read.mcpServers.galley).toEqual(entry);
    expect({ ...read, mcpServers: { ...read.mcpServers, galley: undefined } }).toMatchObject(
      parseLoosely(before),
    );
    expect(withJsonEntry(after, 'mcpServers', entry)).toBe(after);
    const changed = withJsonEntry(after, 'mcpServers', { command: 'other', args: [] });
    expect(parseLoosely(changed).mcpServers.galley).toEqual({ command: 'other', args: [] });
    const removed = parseLoosely(withoutJsonEntry(after, 'mcpServers'));
    expect(removed.mcpServers.galley).toBeUndefined();
    expect(removed).toMatchObject(parseLoosely(before));
  });

  it('goes in and comes out of any configuration that an editor could have written', () => {
    const server = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true });
    const servers = fc.dictionary(fc.string(), server, { noNullPrototype: true });
    const config = fc.record(
      { before: fc.jsonValue(), mcpServers: servers, after: fc.jsonValue() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(config, fc.constantFrom(0, 1, 2, 4, '\t'), (value, indent) => {
        fc.pre(!Object.hasOwn(value.mcpServers ?? {}, 'galley'));
        const before = JSON.stringify(value, null, indent);
        const after = withJsonEntry(before, 'mcpServers', entry);
        const { galley, ...rest } = JSON.parse(after).mcpServers;
        expect(galley).toEqual(entry);
        expect({ ...JSON.parse(after), mcpServers: rest }).toEqual({ mcpServers: {}, ...JSON.parse(before) });
        const removed = JSON.parse(withoutJsonEntry(after, 'mcpServers'));
        expect(removed).toEqual({ mcpServers: {}, ...JSON.parse(before) });
      }),
    );
  });

  it.each(['{', '[]', '{"mcpServers": 5}', '{"a": 1} x', '{a: 1}', '{"mcpServers":{},"mcpServers":{}}', '"'])(
    'is not put into %s',
    (source) => {
      expect(() => withJsonEntry(source, 'mcpServers', entry)).toThrow(
        expect.objectContaining({ code: 'CONFIG_INVALID' }),
      );
    },
  );
});

function parseLoosely(text: string) {
  const plain = text
    .replace(/^\uFEFF/, '')
    .replaceAll(/\/\/[^\n]*|\/\*.*?\*\//g, '')
    .replaceAll(/,(\s*[}\]])/g, '$1');
  return JSON.parse(plain);
}

describe('a table in a TOML configuration', () => {
  const section = '[mcp_servers.galley]\ncommand = "galley"\nargs = ["mcp"]\n';
  const full = `# mine
model = "o3" # why not
notify = ["a", # one
  'b']
text = """
[mcp_servers.galley]
"""
[mcp_servers.other]
env = { "A" = "1", B = 'x' }
at = 1979-05-27 07:32:00Z

[[rules]]
deny.all = true
`;

  it.each([
    ['', section],
    ['a = 1', `a = 1\n\n${section}`],
    [full, `${full}\n${section}`],
  ])('is appended, found there again, and taken out', (before, after) => {
    expect(withTomlEntry(before, entry)).toBe(after);
    expect(withTomlEntry(after, entry)).toBe(after);
    expect(withoutTomlEntry(after).trimEnd()).toBe(before.trimEnd());
    expect(withoutTomlEntry(before)).toBe(before);
  });

  it('is changed in its place, with the tables and comments around it as they were', () => {
    const before = `a = 1\n\n[ mcp_servers . "galley" ]\ncommand = "old"\n\n# of the next\n[mcp_servers.galley.env]\nA = "1"\n`;
    const after = withTomlEntry(before, entry);
    expect(after).toBe(`a = 1\n\n${section}\n# of the next\n[mcp_servers.galley.env]\nA = "1"\n`);
  });

  it.each([
    'a = ',
    'a',
    '[a',
    '[a]]',
    'a = "x',
    'a = [1, 2',
    'a = {b = 1',
    'a = 1 b = 2',
    'mcp_servers = { galley = { command = "x" } }',
    'mcp_servers.galley.command = "x"',
    '[mcp_servers]\ngalley = { command = "x" }',
    '[[mcp_servers.galley]]\ncommand = "x"',
    '[mcp_servers.galley]\n[mcp_servers.galley]\n',
  ])('is not put into %j', (source) => {
    expect(() => withTomlEntry(source, entry)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
  });
});

describe('galley mcp install', () => {
  const bin = join(process.cwd(), 'bin/galley.js');
  const install = (folder: string, ...args: string[]) =>
    spawnSync(process.execPath, [bin, 'mcp', 'install', ...args], {
      cwd: folder,
      encoding: 'utf8',
      input: '',
    });

  it.each([
    ['claude', '.mcp.json'],
    ['cursor', '.cursor/mcp.json'],
    ['vscode', '.vscode/mcp.json'],
    ['codex', '.codex/config.toml'],
    ['gemini', '.gemini/settings.json'],
  ])('shows the change for %s, writes it only when told, and takes it out', (client, path) => {
    const folder = join(root, client);
    mkdirSync(folder);
    const file = join(folder, path);
    const shown = install(folder, '--client', client);
    expect(shown.status).toBe(0);
    expect(shown.stdout).toMatch(/^--- \/dev\/null\n\+\+\+ b\//);
    expect(shown.stdout).toContain('mcp');
    expect(readdirSync(folder)).toEqual([]);

    const written = install(folder, '--client', client, '--yes');
    expect(written.stdout).toBe(shown.stdout);
    const added = shown.stdout.split('\n').filter((line) => /^\+(?!\+\+ )/.test(line));
    expect(readFileSync(file, 'utf8')).toBe(`${added.map((line) => line.slice(1)).join('\n')}\n`);
    expect(install(folder, '--client', client, '--yes').stdout).toBe('');
    expect(install(folder, '--client', client, '--remove', '--yes').status).toBe(0);
    expect(readFileSync(file, 'utf8')).not.toContain('galley');
    expect(readdirSync(dirname(file))).toHaveLength(1);
  });

  it.each([
    ['cursor', '.cursor/mcp.json', 'mcpServers', {}],
    ['vscode', '.vscode/mcp.json', 'servers', { type: 'stdio' }],
    ['gemini', '.gemini/settings.json', 'mcpServers', {}],
  ])('puts into a file with comments what %s reads, and leaves every byte of the others', (...row) => {
    const [client, path, container, extra] = row;
    const folder = join(root, `${client}-full`);
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    const others = `{\r\n\t// ours: {"a": 1},\r\n\t"inputs": [ {"id":"key",}, ],\r\n\t"${container}": {\r\n\t\t"é \\u0041": {"type":"http","url":"https://x.example//mcp"}`;
    const end = `\r\n\t},\r\n}`;
    writeFileSync(join(folder, path), others + end);
    expect(install(folder, '--client', client, '--yes').status).toBe(0);
    const after = readFileSync(join(folder, path), 'utf8');
    expect([after.slice(0, others.length), after.slice(-end.length)]).toEqual([others, end]);
    const own = JSON.parse(`{${after.slice(others.length + 1, -end.length)}}`);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the client fills it in
    const where = client === 'gemini' ? [] : ['--folder', '${workspaceFolder}'];
    expect(own).toEqual({ galley: { ...extra, command: 'galley', args: ['mcp', ...where] } });
    expect(install(folder, '--client', client, '--remove', '--yes').status).toBe(0);
    expect(readFileSync(join(folder, path), 'utf8')).toBe(others + end);
  });

  it('leaves a broken file alone', () => {
    const folder = join(root, 'broken');
    mkdirSync(folder);
    writeFileSync(join(folder, '.mcp.json'), '{ "mcpServers": ');
    const { status, stderr } = install(folder, '--client', 'claude', '--yes');
    expect(status).toBe(2);
    expect(stderr).toContain('CONFIG_INVALID');
    expect(readFileSync(join(folder, '.mcp.json'), 'utf8')).toBe('{ "mcpServers": ');
    expect(install(folder, '--client', 'emacs').status).toBe(2);
    expect(existsSync(join(folder, '.emacs'))).toBe(false);
  });
});

describe('an entry beside one with a comment and a trailing comma', () => {
  const before = '{\n  // servers\n  "mcpServers": {\n    "a": { "command": "x" }, // keep\n  },\n}\n';
  const entry = { command: 'galley', args: ['mcp'] };

  it('comes behind the comment, and leaves its neighbour as it was', () => {
    const after = withJsonEntry(before, 'mcpServers', entry);
    expect(after).toContain('"a": { "command": "x" }, // keep\n    "galley": {');
    // Only the comma that nobody needs goes along.
    expect(withoutJsonEntry(after, 'mcpServers')).toBe(before.replace('}, // keep', '} // keep'));
  });
});
