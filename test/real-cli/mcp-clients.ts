// How each real client is told about a project, asked what it sees, and run on one message; and where its requests carry the
// tools it offers and the results they gave.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LoopbackCall, Reply } from '../../src/testing/loopback/open-loopback.js';

type ToolCalls = NonNullable<Reply['toolCalls']>;

export interface McpClient {
  readonly name: 'claude' | 'codex' | 'gemini';
  readonly list: readonly string[];
  /** What the list says of a project that nobody has trusted, and of one that somebody has. */
  readonly untrusted: RegExp;
  readonly trusted: RegExp;
  readonly message: readonly string[];
  /** Most clients go on without a server that is slow to start; these tests tell them to wait. */
  readonly environment: NodeJS.ProcessEnv;
  trust(home: string, project: string): void;
  /** The tool as this client names it; undefined while it does not offer it. */
  toolNamed(name: string, call: LoopbackCall): Omit<ToolCalls[number], 'input'> | undefined;
  /** Text of the result that the request carries; undefined when it carries none. */
  resultIn(call: LoopbackCall): string | undefined;
}

interface Block {
  readonly type?: string;
  readonly name?: string;
  readonly text?: string;
  readonly tools?: readonly Block[];
  readonly content?: string | readonly Block[];
  readonly output?: string | readonly Block[];
  readonly functionDeclarations?: readonly Block[];
  readonly functionResponse?: { readonly response: { readonly output: string } };
  readonly parts?: readonly Block[];
}

const blocks = (call: LoopbackCall, field: string) => (call.body?.[field] ?? []) as readonly Block[];
const named = (list: readonly Block[] | undefined, name: string) => list?.some((tool) => tool.name === name);
const textOf = (content: string | readonly Block[] | undefined) =>
  typeof content === 'object' ? content.map(({ text }) => text ?? '').join('') : content;

const claude: McpClient = {
  name: 'claude',
  list: ['mcp', 'get', 'galley'],
  untrusted: /Pending approval/,
  trusted: /✔ Connected/,
  message: ['--print', '--allowedTools', 'mcp__galley', '--', 'Look at the change.'],
  environment: { MCP_CONNECTION_NONBLOCKING: '0' },
  trust(home) {
    const settings = { enabledMcpjsonServers: ['galley'] };
    writeFileSync(join(home, '.claude', 'settings.json'), JSON.stringify(settings));
  },
  toolNamed(name, call) {
    const full = `mcp__galley__${name}`;
    return named(blocks(call, 'tools'), full) ? { name: full } : undefined;
  },
  resultIn(call) {
    const said = blocks(call, 'messages').flatMap(({ content }) =>
      typeof content === 'object' ? content : [],
    );
    return textOf(said.find(({ type }) => type === 'tool_result')?.content);
  },
};

const codex: McpClient = {
  name: 'codex',
  list: ['mcp', 'list'],
  untrusted: /No MCP servers configured/,
  trusted: /galley\s+galley\s+mcp\s.*enabled/,
  // Its newest models write programs that call tools; others call them one by one.
  message: [
    ...['exec', '--json', '--skip-git-repo-check', '--ephemeral', '--model', 'gpt-5'],
    ...['-c', 'mcp_optional_startup_grace_ms=0'],
    ...['-c', 'mcp_servers.galley.default_tools_approval_mode="approve"'],
    'Look at the change.',
  ],
  environment: {},
  trust(home, project) {
    const trusted = `[projects.${JSON.stringify(project)}]\ntrust_level = "trusted"\n`;
    appendFileSync(join(home, '.codex', 'config.toml'), trusted);
  },
  toolNamed(name, call) {
    const server = blocks(call, 'tools').find((tool) => tool.name === 'mcp__galley');
    return named(server?.tools, name) ? { name, namespace: 'mcp__galley' } : undefined;
  },
  resultIn: (call) =>
    textOf(blocks(call, 'input').find(({ type }) => type === 'function_call_output')?.output),
};

const gemini: McpClient = {
  name: 'gemini',
  list: ['mcp', 'list'],
  untrusted: /galley mcp \(stdio\) - Disabled/,
  trusted: /galley mcp \(stdio\) - Connected/,
  message: ['--approval-mode', 'yolo', '--prompt', 'Look at the change.'],
  environment: {},
  trust(home, project) {
    const folders = { [project]: 'TRUST_FOLDER' };
    writeFileSync(join(home, '.gemini', 'trustedFolders.json'), JSON.stringify(folders));
  },
  toolNamed(name, call) {
    const full = `mcp_galley_${name}`;
    const declared = blocks(call, 'tools').flatMap((tool) => tool.functionDeclarations ?? []);
    return named(declared, full) ? { name: full } : undefined;
  },
  resultIn(call) {
    const said = blocks(call, 'contents').flatMap(({ parts = [] }) => parts);
    return said.find((part) => part.functionResponse !== undefined)?.functionResponse?.response.output;
  },
};

export const mcpClients: readonly McpClient[] = [claude, codex, gemini];
