// What the receipt foresees of a provider's cache, beside what the provider reports, over consecutive runs of a skill.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunRecord } from '../../src/models/contract/model.js';
import { findModel } from '../../src/models/find-model.js';
import { call } from '../../src/operations/call.js';
import { type Loopback, openLoopback } from '../../src/testing/loopback/open-loopback.js';
import { openWorkshop, type Workshop } from './workshop.js';

let workshop: Workshop;
let loopback: Loopback;
beforeEach(async () => {
  workshop = await openWorkshop();
  loopback = await openLoopback({ script: { text: '他没有回头。' } });
  const projectId = 'novel';
  for (let n = 0; n < 24; n += 1) {
    await workshop.call('constraints:create', {
      projectId,
      kind: 'plot',
      text: `第${n + 1}条：林远在第${n + 3}章之前不提起那年冬天的事，也不承认自己认识码头上的人，更不会对任何人说出那封信的下落。`,
    });
  }
  await workshop.call('documents:put', { projectId, documentId: 'one', title: '第二章', text: '雨停了。' });
});
afterEach(async () => {
  await loopback.close();
  await workshop.close();
});

const places: [string, (url: string) => NodeJS.ProcessEnv][] = [
  ['anthropic/claude-sonnet-4-5', (url) => ({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: url })],
  ['openai/gpt-4o', (url) => ({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${url}/v1` })],
];

it.each(places)(
  '%s: five runs read from the cache what was foreseen [prefix.used]',
  async (model, environment) => {
    const context = {
      ...workshop.context,
      model: (name?: string) =>
        findModel(name, { folder: workshop.folder, environment: environment(loopback.url) }),
    };
    const runs = [];
    for (let n = 0; n < 5; n += 1) {
      const text = `雨停了。${'他往前走。'.repeat(n + 1)}`;
      const request = {
        projectId: 'novel',
        skillId: 'consistency',
        documentId: 'one',
        text,
        model,
        rewrites: 0,
      };
      const written = (await call('ai:skill:run', request, context)) as { runs: readonly RunRecord[] };
      const [run] = written.runs;
      runs.push({
        foreseen: run?.foreseen.cachedInputTokens ?? -1,
        reported: run?.reported?.cachedInputTokens ?? 0,
      });
    }
    expect(runs[0]).toEqual({ foreseen: 0, reported: 0 });
    for (const { foreseen, reported } of runs.slice(1)) {
      expect(reported).toBeGreaterThan(1000);
      expect(Math.abs(foreseen - reported)).toBeLessThanOrEqual(reported * 0.02);
    }
  },
);
