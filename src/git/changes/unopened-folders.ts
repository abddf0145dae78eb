// Which folders of the working tree could git not open? It passes over them with a warning, so its words are all there is.
import { pathText } from '../process/path-text.js';

const before = "could not open directory '";
const after = "': ";

export function unopenedFolders(stderr: Buffer): string[] {
  const folders: string[] = [];
  for (let from = stderr.indexOf(before); from >= 0; from = stderr.indexOf(before, from)) {
    from += before.length;
    const line = stderr.indexOf('\n', from);
    const end = stderr.subarray(0, line < 0 ? stderr.length : line).lastIndexOf(after);
    if (end >= from) folders.push(pathText(stderr.subarray(from, end)));
  }
  return folders;
}
