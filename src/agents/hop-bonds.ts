// Which messages leave together when a conversation is trimmed in hops? Blocks of half the room for context, counted from the
// first message, so that the first kept message stays the same from turn to turn and only jumps at a border: a provider's
// cache keeps hitting in between. A function of the conversation alone; no state.
import { type Meter, weightOf } from '../core/model/meter.js';
import { type CheckedAssemblerInput, contentText } from './assembler-input.js';

/** The bond of each message; undefined for one that leaves alone, as do those that stay longer or leave sooner than others. */
export function hopBonds(
  input: CheckedAssemblerInput,
  { meter, limit }: { readonly meter: Meter; readonly limit: number },
): (string | undefined)[] {
  const { contextMessages, trim } = input;
  const none = contextMessages.map(() => undefined);
  if (trim === 'exact') return none;
  const weigh = (...texts: readonly (string | null | undefined)[]) =>
    texts.reduce((sum, text) => sum + meter.weigh(text ?? ''), 0);
  const sizes = contextMessages.map(({ from, to, content }) => weigh(from, to, contentText(content)));
  const steady = weigh(...[input.systemInstruction].flat(), input.instructionFileText, input.teamTask);
  const pinned = sizes.reduce((sum, size, at) => sum + (contextMessages[at]?.pinned ? size : 0), 0);
  const block = Math.floor((weightOf(meter, limit) - steady - pinned) / 2);
  // A message this large would drive out almost everything with whole blocks.
  if (block < 1 || weigh(contentText(input.currentMessage)) > block / 2) return none;
  return blockBonds(sizes, block).map((bond, at) => {
    const message = contextMessages[at];
    return message?.pinned || message?.priority ? undefined : bond;
  });
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
