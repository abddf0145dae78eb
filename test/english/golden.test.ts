// What an English writer's model reads, byte for byte. GALLEY_GOLDEN=write writes the files anew.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadMeter } from '../../src/meters/load-meter.js';
import { builtInSkills } from '../../src/skills/built-in/built-in-skills.js';
import type { ContextAssembleResult } from '../../src/writing/context/context-result.js';
import type { Workshop } from '../skills/workshop.js';
import { secondChapter as documentId, openEnglishNovel } from './english-novel.js';

const golden = join(process.cwd(), 'test', 'golden', 'english');
/** Chinese characters, and the punctuation that goes with them. */
const chinese = /[\p{sc=Han}\u3000-\u303f\uff00-\uffef]/u;

let workshop: Workshop;
beforeAll(async () => {
  workshop = await openEnglishNovel();
});
afterAll(() => workshop.close());

async function expectGolden(name: string, text: string): Promise<void> {
  const path = join(golden, `${name}.txt`);
  if (process.env.GALLEY_GOLDEN === 'write') {
    await mkdir(golden, { recursive: true });
    await writeFile(path, text);
  }
  expect(text).toBe(await readFile(path, 'utf8'));
  expect(text).not.toMatch(chinese);
}

const selection = { start: 23, end: 137 };

describe('an English prompt', () => {
  for (const { id, budgetTokens = 0 } of builtInSkills('en')) {
    it(`of ${id} is as its golden file says, within its budget [skill.matrix] [skill.stable]`, async () => {
      const { systemPrompt, userContent, budget, receipt } = await workshop.dryRun({
        skillId: id,
        documentId,
        language: 'en',
        additionalInput: 'Keep it quiet.',
        ...(id === 'continue' || id === 'dialogue' ? { cursorPosition: 139 } : { selection }),
      });
      await expectGolden(id, `=== system ===\n${systemPrompt}\n=== user ===\n${userContent}\n`);
      expect(budget).toBe(budgetTokens);
      const meter = await loadMeter('o200k_base');
      expect(meter.weigh(systemPrompt) + meter.weigh(userContent)).toBeLessThanOrEqual(budget);
      expect(receipt.dialect).toEqual({ id: 'chaptered-en', version: 2 });
    });
  }

  it.each([
    ['cursor', {}],
    ['selection', { selection }],
  ])('of the layers with a %s is as its golden file says [layers.order]', async (name, change) => {
    const { prompt, receipt } = await workshop.call<ContextAssembleResult>('context:assemble', {
      projectId: 'novel',
      documentId,
      cursorPosition: 139,
      skillId: '',
      language: 'en',
      additionalInput: 'Keep it quiet.',
      ...change,
    });
    await expectGolden(`layers-${name}`, `${prompt}\n`);
    expect(receipt.dialect).toEqual({ id: 'layered-en', version: 2 });
  });
});
