// Texts put aside until their page is set: in memory while they are few, in a file without a name when they are many.
import { constants } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GalleyError } from '../../core/model/error.js';

export interface SpoolPlace {
  readonly offset: number;
  readonly length: number;
}

const inMemory = 16 * 1024 * 1024;
const writeSize = 1024 * 1024;

export class Spool {
  #held: Buffer[] = [];
  #heldFrom = 0;
  #size = 0;
  #file: FileHandle | undefined;
  #folder: string | undefined;

  async write(bytes: Buffer): Promise<SpoolPlace> {
    const place = { offset: this.#size, length: bytes.length };
    this.#held.push(bytes);
    this.#size += bytes.length;
    const waiting = this.#size - this.#heldFrom;
    if (waiting > (this.#file === undefined ? inMemory : writeSize)) await this.#flush();
    return place;
  }

  /** Call after the last write. */
  async read({ offset, length }: SpoolPlace): Promise<Buffer> {
    if (this.#file === undefined) {
      if (this.#held.length > 1) this.#held = [Buffer.concat(this.#held)];
      return (this.#held[0] ?? Buffer.alloc(0)).subarray(offset, offset + length);
    }
    if (this.#held.length > 0) await this.#flush();
    const bytes = Buffer.allocUnsafe(length);
    let done = 0;
    while (done < length) {
      const { bytesRead } = await this.#file.read(bytes, done, length - done, offset + done);
      if (bytesRead === 0)
        throw new GalleyError('FILE_UNREADABLE', 'The temporary file of the pages was cut short.');
      done += bytesRead;
    }
    return bytes;
  }

  async close(): Promise<void> {
    this.#held = [];
    await this.#file?.close();
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }

  async #flush(): Promise<void> {
    this.#file ??= await this.#open();
    const bytes = this.#held.length === 1 ? this.#held[0]! : Buffer.concat(this.#held);
    this.#held = [];
    let done = 0;
    while (done < bytes.length) {
      const { bytesWritten } = await this.#file.write(
        bytes,
        done,
        bytes.length - done,
        this.#heldFrom + done,
      );
      done += bytesWritten;
    }
    this.#heldFrom = this.#size;
  }

  async #open(): Promise<FileHandle> {
    try {
      this.#folder = await mkdtemp(join(tmpdir(), 'galley-pages-'));
      const path = join(this.#folder, 'spool');
      const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
      // Where the system allows it, nothing stays behind even if the process is killed.
      await rm(path).catch(() => undefined);
      return file;
    } catch (cause) {
      throw new GalleyError('FILE_UNREADABLE', 'No temporary file could be made for the pages.', { cause });
    }
  }
}
