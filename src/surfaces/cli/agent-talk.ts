// What a person should hear about a turn without asking: the current message did not fit, or the agent's name looks misspelt.
import { agentTypeOf, agentTypes } from '../../agents/assembler-input.js';
import type { Receipt } from '../../core/model/receipt.js';
import { meantWord } from './meant-ending.js';
import { word } from './words/word.js';

const known = ['claude', 'codex', 'gemini', ...agentTypes];

export function agentTalk(name: string, { ledger }: Pick<Receipt, 'ledger'>): string[] {
  const meant = agentTypeOf(name) === 'unknown' && name !== 'unknown' ? meantWord(name, known) : undefined;
  const current = ledger.find(({ fragment }) => fragment === 'message:current');
  return [
    ...(meant === undefined ? [] : [word('agent.plain', { name: `"${name}"`, meant })]),
    ...(current === undefined || current.verdict === 'kept' ? [] : [word('agent.cut-message')]),
  ];
}
