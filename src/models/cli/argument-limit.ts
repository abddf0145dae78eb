// From this many bytes on Linux refuses to start a process with the argument; such text travels in a file.

const tooManyBytes = 128 * 1024;

/** Text that can stand as the value of an option without being taken for anything else. */
export function fitsArgument(text: string): boolean {
  return !text.startsWith('-') && !text.includes('\0') && Buffer.byteLength(text) < tooManyBytes;
}
