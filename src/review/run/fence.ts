// Text from outside stands between two marker lines it cannot contain. The id is fixed for a change, so that its price is known and
// prefixes hold; when some text holds it all the same, it is taken again from all that the text cannot foresee.
import { hashText } from '../../meters/content-hash.js';

export const fenceName = 'UNTRUSTED CHANGE';

export interface Fence {
  readonly id: string;
  readonly open: string;
  readonly close: string;
  /** Whether a text holds the id, however it is written. */
  isIn(text: string): boolean;
}

export function fenceOf(seed: string): Fence {
  const id = hashText(`${fenceName}\n${seed}`).slice(0, 32);
  return {
    id,
    open: `===== BEGIN ${fenceName} ${id} =====`,
    close: `===== END ${fenceName} ${id} =====`,
    isIn: (text) => {
      if (text.length < id.length) return false;
      // biome-ignore lint/suspicious/noControlCharactersInRegex: beyond ASCII there are other letters for the same sign
      const plain = /[^\u0000-\u007f]/.test(text) ? text.normalize('NFKC') : text;
      return plain.toLowerCase().includes(id);
    },
  };
}
