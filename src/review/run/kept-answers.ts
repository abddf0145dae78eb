// Answers kept from one run to the next, by the fingerprint of all that was sent. They stand inside the git directory, or in a folder
// the user names outside of the working tree: where no commit can put a file, a pull request cannot bring its own review along.

import { mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import * as z from 'zod';
import { GalleyError } from '../../core/model/error.js';
import type { Receipt } from '../../core/model/receipt.js';
import type { RepositoryFacts } from '../../git/repository/open-repository.js';
import { hashText } from '../../meters/content-hash.js';
import { findingSchema } from '../findings/finding.js';

const version = 1;

export const keptReview = z.strictObject({
  version: z.literal(version),
  findings: z.array(findingSchema).max(1000),
  summary: z.string().optional(),
  /** What the reviewer asked for. */
  requests: z.array(
    z.strictObject({ type: z.string(), unit: z.string().optional(), details: z.string().optional() }),
  ),
  /** As it was answered, for the next message. */
  text: z.string(),
  /** It asks for more and gives no findings: nothing is reviewed yet. */
  isOpen: z.boolean(),
});

/** What somebody made of findings that were shown again, by their numbers. */
export const keptVerdicts = z.strictObject({
  version: z.literal(version),
  verdicts: z.array(z.strictObject({ finding: z.int(), isRefuted: z.boolean(), reason: z.string() })),
});

export type KeptReview = Omit<z.output<typeof keptReview>, 'version'>;

export const keptPlan = z.strictObject({
  version: z.literal(version),
  plan: z.array(z.record(z.string(), z.unknown())).max(100_000),
});

export interface KeptAnswers {
  /** Undefined when there is none, or none that can be read. */
  get<Schema extends z.ZodType>(fingerprint: string, schema: Schema): Promise<z.output<Schema> | undefined>;
  /** False when it could not be written. */
  put(fingerprint: string, value: object): Promise<boolean>;
  /** The receipt of what was sent, for those who look later. */
  sent(receipt: Receipt, model: string): Promise<void>;
  /** Forgets the oldest when there are too many. */
  tidy(): Promise<void>;
}

const maxBytes = 32 * 1024 * 1024;
const maxFiles = 5_000;
let drafts = 0;

/** Where they are kept: the folder that is named, if a change cannot reach it. */
export async function answersFolder(
  { gitDirectory, topLevel }: Pick<RepositoryFacts, 'gitDirectory' | 'topLevel'>,
  named: string | undefined,
): Promise<string> {
  if (named === undefined) return gitDirectory;
  const place = await mkdir(named, { recursive: true })
    .then(() => realpath(named))
    .catch((cause: unknown) => {
      throw refusedFolder('the folder cannot be written; choose another.', cause);
    });
  const isBelow = async (folder: string) => {
    const inside = relative(await realpath(folder), place);
    return !isAbsolute(inside) && inside.split(sep)[0] !== '..';
  };
  if (topLevel !== undefined && (await isBelow(topLevel)) && !(await isBelow(gitDirectory)))
    throw refusedFolder(
      'the folder lies in the working tree, where a change could bring its own review; choose one outside, or below .git.',
    );
  return place;
}

function refusedFolder(why: string, cause?: unknown): GalleyError {
  return new GalleyError('INVALID_ARGUMENT', `GALLEY_ANSWERS: ${why}`, {
    details: { field: 'GALLEY_ANSWERS' },
    cause,
  });
}

/** Keeps the receipt of a call; `folder` is where the answers are kept. It never refuses. */
export type KeepReceipt = (
  receipt: Receipt,
  of: { readonly model: string; readonly folder: string },
) => Promise<void>;

interface KeptAnswersOptions {
  readonly most?: number;
  readonly keepReceipt?: KeepReceipt | undefined;
}

export function keptAnswers(
  base: string,
  { most = maxFiles, keepReceipt }: KeptAnswersOptions = {},
): KeptAnswers {
  const folder = join(base, 'galley', 'reviews');
  return {
    async get(fingerprint, schema) {
      try {
        const bytes = await readFile(join(folder, `${fingerprint}.json`));
        if (bytes.length > maxBytes) return undefined;
        const read = schema.safeParse(JSON.parse(bytes.toString('utf8')));
        return read.success ? read.data : undefined;
      } catch {
        return undefined;
      }
    },
    async put(fingerprint, value) {
      const target = join(folder, `${fingerprint}.json`);
      drafts += 1;
      const draft = `${target}.${process.pid}-${drafts}`;
      try {
        await mkdir(folder, { recursive: true });
        await writeFile(draft, JSON.stringify({ version, ...value }), { mode: 0o600 });
        await rename(draft, target);
        return true;
      } catch {
        await rm(draft, { force: true }).catch(() => undefined);
        return false;
      }
    },
    async sent(receipt, model) {
      await keepReceipt?.(receipt, { model, folder: base });
    },
    async tidy() {
      const names = await readdir(folder).catch(() => []);
      if (names.length <= most) return;
      const ages = await Promise.all(
        names.map(async (name) => {
          const facts = await stat(join(folder, name)).catch(() => undefined);
          return { name, age: facts?.mtimeMs ?? 0 };
        }),
      );
      const oldest = ages.sort((left, right) => left.age - right.age).slice(0, names.length - most);
      for (const { name } of oldest) await rm(join(folder, name), { force: true }).catch(() => undefined);
    },
  };
}

/** A key for an answer, of everything the answer depends on. */
export function answerKey(parts: readonly unknown[]): string {
  return hashText(JSON.stringify([version, ...parts]));
}

/** Which page each file stood on the last time, so that files keep their pages. */
export const keptPlacement = z.strictObject({
  version: z.literal(version),
  pages: z.record(z.string(), z.int().min(0)),
});

/** What a reader of pages said that was asked for something else than findings. */
export const keptText = z.strictObject({ version: z.literal(version), text: z.string() });
