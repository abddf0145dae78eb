// A finding that a person dismisses on this machine: kept in the file of exemptions, to be committed, so that no later review raises
// it; taken out again when it was a slip.
import { resolve } from 'node:path';
import * as z from 'zod';
import { textField } from '../../core/model/input.js';
import { findingSchema } from '../findings/finding.js';
import { exemptionsFile, parseExemptions, withExemptions, withoutExemptions } from '../report/exemptions.js';
import { inWorkTree, readTreeFile, replaceTreeFile } from './tree-file.js';

export const exemptRequest = z.strictObject({
  repo: textField(4096).min(1).default('.'),
  findings: z.array(findingSchema).min(1).max(1000).describe('as a review answered them'),
  why: textField(500).default('dismissed').describe('for people'),
  remove: z.boolean().default(false).describe('takes them out of the file again'),
});

export interface Exempted {
  /** In the repository. */
  readonly file: string;
  readonly added: number;
  readonly removed: number;
}

export async function exemptFindings(
  { repo, findings, why, remove }: z.output<typeof exemptRequest>,
  { folder }: { readonly folder: string },
): Promise<Exempted> {
  return inWorkTree(resolve(folder, repo), async (_, topLevel) => {
    const before = await readTreeFile(topLevel, exemptionsFile);
    const list = before === undefined ? [] : parseExemptions(before.toString('utf8'));
    const { text, added, left } = remove
      ? { added: 0, ...withoutExemptions(list, findings) }
      : { left: list.length, ...withExemptions(list, findings, why) };
    const removed = list.length - left;
    if (added > 0 || removed > 0) {
      // A file that holds nothing would only be one more change to commit.
      const after = left + added === 0 ? undefined : Buffer.from(text);
      await replaceTreeFile(topLevel, exemptionsFile, { before, after });
    }
    return { file: exemptionsFile, added, removed };
  });
}
