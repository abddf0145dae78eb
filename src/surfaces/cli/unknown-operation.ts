import { GalleyError } from '../../core/model/error.js';
import { meantEnding } from './meant-ending.js';

export function unknownOperation(id: string, known: readonly string[]): GalleyError {
  return new GalleyError('UNKNOWN_OPERATION', `There is no operation of that name${meantEnding(id, known)}`);
}
