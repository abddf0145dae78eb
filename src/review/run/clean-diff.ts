// A diff as it may leave the machine, and on which line of which side anything was replaced.
import { type CleanText, cleanLines } from '../../cleaning/clean-text.js';
import { printablePath } from '../pages/printable-path.js';
import { linePlaces } from './line-places.js';

export function cleanDiff(text: string, path: string, page: number): CleanText {
  let places: ReturnType<typeof linePlaces> | undefined;
  return cleanLines(text, path, (index) => {
    places ??= linePlaces(text);
    const { side, line } = places[index] ?? { side: 'new', line: 0 };
    return { page, path: printablePath(path), ...(line === 0 ? {} : { side, line }) };
  });
}
