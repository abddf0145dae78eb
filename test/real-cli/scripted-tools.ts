// Tool calls for the real CLIs, each in its own words, and how far a conversation is with them.
import type { AgentCliName } from '../../src/models/cli/agent-cli.js';
import type { Line, Script } from '../../src/testing/loopback/open-loopback.js';
import type { ToolCall } from '../../src/testing/loopback/reply.js';

interface Hands {
  write(path: string): ToolCall;
  run(command: string): ToolCall;
}

const quoted = (text: string) => JSON.stringify(text);

export const hands: Record<AgentCliName, Hands> = {
  claude: {
    write: (path) => ({ name: 'Write', input: { file_path: path, content: 'hello\n' } }),
    run: (command) => ({ name: 'Bash', input: { command } }),
  },
  codex: {
    write: (path) => script(`tools.apply_patch(${quoted(patchFor(path))})`),
    run: (command) => script(`tools.exec_command({cmd: ${quoted(command)}})`),
  },
  gemini: {
    write: (path) => ({ name: 'write_file', input: { file_path: path, content: 'hello\n' } }),
    run: (command) => ({ name: 'run_shell_command', input: { command } }),
  },
};

/** Codex takes scripts that call its tools. */
function script(call: string): ToolCall {
  return { name: 'exec', freeform: true, input: `const r = await ${call}; text(JSON.stringify(r));` };
}

function patchFor(path: string): string {
  return `*** Begin Patch\n*** Add File: ${path}\n+hello\n*** End Patch\n`;
}

/** One call after the other, then the last line. By what the request holds: some CLIs ask for a title on the way. */
export function calling(calls: readonly ToolCall[], last: Line = 'Done.'): Script {
  return ({ body }) => {
    const text = JSON.stringify(body ?? {});
    if (!/"tools":\[\{|"functionDeclarations"|"additional_tools"/.test(text)) return 'Title';
    const since = text.slice(text.lastIndexOf('DO IT NOW'));
    const answered = since.match(/"type":"tool_result"|_call_output"|"functionResponse":/g)?.length ?? 0;
    const call = calls[answered];
    return call === undefined ? last : { toolCalls: [call] };
  };
}
