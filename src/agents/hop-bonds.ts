// Which messages leave together when a conversation is trimmed in hops? Blocks of half the room for context, counted from the
// first message, so that the first kept message stays the same from turn to turn and only jumps at a border: a provider's
// cache keeps hitting in between. A function of the conversation alone; no state.
import type { CheckedAssemblerInput } from './assembler-input.js';

/** The bond of each message; undefined for one that leaves alone. */
export function hopBonds(input: CheckedAssemblerInput): (string | undefined)[] {
  const { contextMessages, trim } = input;
  const none = contextMessages.map(() => undefined);
  if (trim === 'exact') return none;
  const room = input.maxBytes - bytesOf(input.systemInstruction, input.instructionFileText, input.teamTask);
  const block = Math.floor(room / 2);
  // A message this large would drive out almost everything with whole blocks.
  if (block < 1 || bytesOf(input.currentMessage) > block / 2) return none;
  let said = 0;
  const blocks = contextMessages.map(({ from, to, content }) => {
    const number = Math.floor(said / block);
    said += bytesOf(from, to, content);
    return number;
  });
  // The newest block still grows; its messages leave one by one, should it not fit alone.
  const newest = blocks.at(-1);
  return blocks.map((number) => (number === newest ? undefined : `hop:${number}`));
}

function bytesOf(...texts: readonly (string | null | undefined)[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0);
}
