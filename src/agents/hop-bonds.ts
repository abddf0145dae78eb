// Which messages leave together when a conversation is trimmed in hops? Blocks of half the room for context, counted from the
// first message, so that the first kept message stays the same from turn to turn and only jumps at a border: a provider's
// cache keeps hitting in between. A function of the conversation alone; no state.
import { bytesMeter } from '../meters/plain-meters.js';
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
  return blockBonds(
    contextMessages.map(({ from, to, content }) => bytesOf(from, to, content)),
    block,
  );
}

/** Pieces of a talk in blocks of one size; the newest block still grows, so its pieces leave one by one. */
export function blockBonds(sizes: readonly number[], block: number): (string | undefined)[] {
  let said = 0;
  const blocks = sizes.map((size) => {
    const number = Math.floor(said / block);
    said += size;
    return number;
  });
  const newest = blocks.at(-1);
  return blocks.map((number) => (number === newest ? undefined : `hop:${number}`));
}

function bytesOf(...texts: readonly (string | null | undefined)[]): number {
  return texts.reduce((sum, text) => sum + bytesMeter.weigh(text ?? ''), 0);
}
