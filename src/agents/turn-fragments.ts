// A checked turn as fragments. Empty sections leave none behind, so they lose their marker too.
import type { Fragment } from '../core/model/fragment.js';
import type { Scope } from '../core/model/scope.js';
import type { CheckedAssemblerInput } from './assembler-input.js';
import { hopBonds } from './hop-bonds.js';
import type { TurnBody, TurnSection } from './turn-body.js';

export const turnScope: Scope = { project: 'agent-turn' };

export function turnFragments(input: CheckedAssemblerInput): Fragment<TurnBody>[] {
  const fragments: Fragment<TurnBody>[] = [];
  const add = (section: TurnSection, id: string, content: { body: TurnBody; bond?: string | undefined }) => {
    const { body, bond } = content;
    fragments.push({
      id,
      source: section,
      scope: turnScope,
      layer: section,
      section,
      rank: fragments.length,
      position: fragments.length,
      levels: [{ name: 'whole', body }],
      ...(bond === undefined ? {} : { bond }),
    });
  };
  const addText = (section: TurnSection, id: string, text: string | null | undefined) => {
    const trimmed = text?.trim();
    if (trimmed) add(section, id, { body: { kind: 'text', text: trimmed } });
  };
  addText('system', 'system:instruction', input.systemInstruction);
  addText('system', 'system:file', input.instructionFileText);
  addText('task', 'task', input.teamTask);
  const bonds = hopBonds(input);
  input.contextMessages.forEach(({ from, to, content }, index) => {
    const body = { kind: 'message', from, to: to ?? 'all', content } as const;
    add('context', `message:${index}`, { body, bond: bonds[index] });
  });
  addText('message', 'message:current', input.currentMessage);
  return fragments;
}
