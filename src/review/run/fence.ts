// Text from outside between two marker lines it cannot contain: their id is a hash of the text, taken again until the text does
// not hold it. Same text, same fence.
import { hashText } from '../../meters/content-hash.js';

export const fenceName = 'UNTRUSTED CHANGE';

export function fence(content: string): string {
  const id = fenceId(content);
  return `===== BEGIN ${fenceName} ${id} =====\n${content}\n===== END ${fenceName} ${id} =====`;
}

function fenceId(content: string): string {
  const folded = content.normalize('NFKC').toLowerCase();
  for (let salt = 0; ; salt += 1) {
    const id = hashText(`${salt}\n${content}`).slice(0, 32);
    if (!folded.includes(id)) return id;
  }
}
