// galley completion: the completions of one shell, made from the command tree.
import { bashCompletion } from './completion/bash.js';
import { fishCompletion } from './completion/fish.js';
import { spotsOf } from './completion/spots.js';
import { zshCompletion } from './completion/zsh.js';
import { wholeProgram } from './program.js';

const writers = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

export async function completionCommand(
  shell: keyof typeof writers,
  { json }: { readonly json?: boolean },
): Promise<void> {
  const script = writers[shell](spotsOf(wholeProgram()));
  process.stdout.write(json ? `${JSON.stringify({ shell, script })}\n` : script);
}
