// What reviews sent, where no store is at hand: one file for each receipt beside the answers that are kept. Of a prompt that is sent
// twice the last sending is told.
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Receipt } from '../../core/model/receipt.js';
import { repositoryPlace } from '../../git/repository/repository-place.js';
import { keptReceipt } from '../../store/kept-receipt.js';
import type { StoredReceipt } from '../../store/tables/receipts.js';
import { answersFolder } from './kept-answers.js';

export type SentReceipt = Omit<StoredReceipt, 'project'>;

export interface KeptReceipts {
  /** False when it could not be written. */
  put(receipt: Receipt, of: Pick<SentReceipt, 'operation' | 'createdAt' | 'summary'>): Promise<boolean>;
  get(id: string): Promise<SentReceipt | undefined>;
  /** Newest first. */
  list(options: {
    readonly limit: number;
    readonly operation?: string | undefined;
  }): Promise<readonly SentReceipt[]>;
}

interface Bounds {
  readonly files: number;
  readonly bytes: number;
  readonly ageMs: number;
}

const usualBounds: Bounds = { files: 500, bytes: 64 * 1024 * 1024, ageMs: 90 * 86_400_000 };

let drafts = 0;

export function keptReceipts(base: string, bounds: Bounds = usualBounds): KeptReceipts {
  const folder = join(base, 'galley', 'receipts');
  const read = async (name: string): Promise<SentReceipt | undefined> => {
    try {
      const { version, ...kept } = JSON.parse(await readFile(join(folder, name), 'utf8'));
      return version === 1 ? kept : undefined;
    } catch {
      return undefined;
    }
  };
  return {
    async put(receipt, { operation, createdAt, summary }) {
      const target = join(folder, `${receipt.id}.json`);
      drafts += 1;
      const draft = `${target}.${process.pid}-${drafts}`;
      const { id } = receipt;
      try {
        await mkdir(folder, { recursive: true });
        const kept = { version: 1, id, operation, createdAt, summary, value: keptReceipt(receipt) };
        await writeFile(draft, JSON.stringify(kept), { mode: 0o600 });
        await rename(draft, target);
        await forgetOld(folder, bounds);
        return true;
      } catch {
        await rm(draft, { force: true }).catch(() => undefined);
        return false;
      }
    },
    // An id that is no hash names no file of ours.
    get: async (id) => (/^\w+$/.test(id) ? read(`${id}.json`) : undefined),
    async list({ limit, operation }) {
      const found: SentReceipt[] = [];
      for (const { name } of await newestFirst(folder)) {
        if (found.length === limit) break;
        const kept = await read(name);
        if (kept !== undefined && (operation ?? kept.operation) === kept.operation) found.push(kept);
      }
      return found;
    },
  };
}

/** What reviews of the repository around a folder sent; undefined where there is none. */
export async function receiptsOfReviews(
  folder: string,
  named: string | undefined,
): Promise<KeptReceipts | undefined> {
  const place = await repositoryPlace(folder).catch(() => undefined);
  const base = place === undefined ? named : await answersFolder(place, named).catch(() => undefined);
  return base === undefined ? undefined : keptReceipts(base);
}

async function newestFirst(folder: string) {
  const names = await readdir(folder).catch(() => []);
  const files = await Promise.all(
    names.map(async (name) => {
      const facts = await stat(join(folder, name)).catch(() => undefined);
      return { name, bytes: facts?.size ?? 0, at: facts?.mtimeMs ?? 0 };
    }),
  );
  return files.sort((left, right) => right.at - left.at);
}

async function forgetOld(folder: string, bounds: Bounds): Promise<void> {
  const files = await newestFirst(folder);
  const newest = files[0]?.at ?? 0;
  let bytes = 0;
  for (const [place, file] of files.entries()) {
    bytes += file.bytes;
    const isKept = place < bounds.files && bytes <= bounds.bytes && newest - file.at <= bounds.ageMs;
    if (!isKept && place > 0) await rm(join(folder, file.name), { force: true }).catch(() => undefined);
  }
}
