// A whole number of a flag, digits with _ between them if one likes; refused by the name of the flag.
import { GalleyError } from '../../core/model/error.js';

export function wholeNumber(text: string, flag: string, least = Number.MIN_SAFE_INTEGER): number {
  const value = Number(text.replaceAll('_', ''));
  if (/^-?\d[\d_]*$/.test(text.trim()) && Number.isSafeInteger(value) && value >= least) return value;
  const bound = least === Number.MIN_SAFE_INTEGER ? '' : `, ${least} or more`;
  throw new GalleyError('INVALID_ARGUMENT', `${flag}: must be a whole number${bound}.`, {
    details: { field: flag },
  });
}
