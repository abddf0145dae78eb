// The file of a project that speaks to its agents. A CLI that is kept from the settings of a folder does not read it either, so it
// is sent with the turn, under its receipt; Gemini reads its own all the same, and gets nothing twice.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentType } from '../assembler-input.js';

const names: Partial<Record<AgentType, readonly string[]>> = {
  'claude-code': ['CLAUDE.md', '.claude/CLAUDE.md', 'AGENTS.md'],
  'openai-codex': ['AGENTS.md'],
};

const largest = 256 * 1024;

/** The first of them that there is; what is too large or no text stays out. */
export async function instructionFile(agentType: AgentType, folder: string): Promise<string | undefined> {
  for (const name of names[agentType] ?? []) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || !found.isFile() || found.size > largest) continue;
    const text = (await readFile(path, 'utf8').catch(() => '')).replace(/^\uFEFF/, '');
    if (text.trim() !== '' && !text.includes('\0')) return text;
  }
  return undefined;
}
