// galley completion: the completions of one shell, made from the command tree.
import type { Command } from 'commander';
import { bashCompletion } from './completion/bash.js';
import { fishCompletion } from './completion/fish.js';
import { spotsOf } from './completion/spots.js';
import { zshCompletion } from './completion/zsh.js';

const writers = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

export function completionText(
  program: Command,
  shell: keyof typeof writers,
  { json }: { readonly json?: boolean },
): string {
  const script = writers[shell](spotsOf(program));
  return json ? `${JSON.stringify({ shell, script })}\n` : script;
}
