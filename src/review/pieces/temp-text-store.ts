// Texts put aside until their page is set: in memory while they are few, in a file without a name when they are many.
// Calls do not wait: a few kilobytes to or from the system's own cache take less time than handing them to another thread.
import { closeSync, constants, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { GalleyError } from '../../core/model/error.js';
import { makeTempFolder, removeTempFolderSync } from '../../temp/temp-folder.js';

export interface TextHandle {
  readonly offset: number;
  readonly length: number;
}

const inMemory = 16 * 1024 * 1024;
const writeSize = 1024 * 1024;

export class TempTextStore {
  #held: Buffer[] = [];
  #heldFrom = 0;
  #size = 0;
  #file: number | undefined;
  #folder: string | undefined;

  write(bytes: Buffer): TextHandle {
    const place = { offset: this.#size, length: bytes.length };
    this.#held.push(bytes);
    this.#size += bytes.length;
    const waiting = this.#size - this.#heldFrom;
    if (waiting > (this.#file === undefined ? inMemory : writeSize)) this.#flush();
    return place;
  }

  /** Call after the last write. */
  read({ offset, length }: TextHandle): Buffer {
    if (this.#file === undefined) {
      if (this.#held.length > 1) this.#held = [Buffer.concat(this.#held)];
      return (this.#held[0] ?? Buffer.alloc(0)).subarray(offset, offset + length);
    }
    if (this.#held.length > 0) this.#flush();
    const bytes = Buffer.allocUnsafe(length);
    let done = 0;
    while (done < length) {
      const count = readSync(this.#file, bytes, done, length - done, offset + done);
      if (count === 0)
        throw new GalleyError('FILE_UNREADABLE', 'The temporary file of the pages was cut short.');
      done += count;
    }
    return bytes;
  }

  close(): void {
    this.#held = [];
    const file = this.#file;
    this.#file = undefined;
    if (file !== undefined) closeSync(file);
    if (this.#folder !== undefined) removeTempFolderSync(this.#folder);
  }

  #flush(): void {
    this.#file ??= this.#open();
    // One call for many small texts: copying them together costs less than a call for each.
    const bytes = Buffer.concat(this.#held);
    this.#held = [];
    let done = 0;
    while (done < bytes.length)
      done += writeSync(this.#file, bytes, done, bytes.length - done, this.#heldFrom + done);
    this.#heldFrom += bytes.length;
  }

  #open(): number {
    try {
      this.#folder = makeTempFolder('pages');
      const path = join(this.#folder, 'spool');
      const file = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
      // Where the system allows it, nothing stays behind even if the process is killed.
      try {
        rmSync(path);
      } catch {}
      return file;
    } catch (cause) {
      throw new GalleyError('FILE_UNREADABLE', 'No temporary file could be made for the pages.', { cause });
    }
  }
}
