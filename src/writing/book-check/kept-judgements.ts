// What a model said of a page, kept under everything it depends on: the sealed texts hold the passage, the rules, what the book knows
// and the wording of the question. A second run asks only for what changed, also after a run that broke off.
import * as z from 'zod';
import type { SealedPrompt } from '../../core/model/press.js';
import { hashText } from '../../meters/content-hash.js';
import type { Store } from '../../store/store.js';
import { checkPrefix } from '../folder/material.js';

/** As the model numbered them, within the page. */
const kept = z.strictObject({
  model: z.string(),
  findings: z.array(
    z.strictObject({
      constraintId: z.string(),
      check: z.literal('model'),
      start: z.int(),
      end: z.int(),
      evidence: z.string(),
      message: z.string(),
    }),
  ),
});

export type KeptJudgement = z.output<typeof kept>;

export function judgementKey(model: string, { system, prompt, answer = '' }: SealedPrompt): string {
  return `${checkPrefix}${hashText(JSON.stringify([model, system, prompt, answer]))}`;
}

export async function readKept(
  store: Store,
  project: string,
  key: string,
): Promise<KeptJudgement | undefined> {
  const text = await store.settings.get(project, key);
  if (text === undefined) return undefined;
  try {
    return kept.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export async function keep(
  store: Store,
  project: string,
  { key, judgement }: { readonly key: string; readonly judgement: KeptJudgement },
): Promise<void> {
  await store.settings.put(project, key, JSON.stringify(judgement));
}

/** Answers of this model that nothing asks for any more: the book has changed. */
export async function forgetOthers(
  store: Store,
  project: string,
  { model, used }: { readonly model: string; readonly used: ReadonlySet<string> },
): Promise<void> {
  for (const { key } of await store.settings.list(project)) {
    if (!key.startsWith(checkPrefix) || used.has(key)) continue;
    const judgement = await readKept(store, project, key);
    if (judgement?.model === model) await store.settings.delete(project, key).catch(() => undefined);
  }
}
