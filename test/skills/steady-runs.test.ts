// An afternoon of going on with a chapter: what was sent before stays in front, until the start of the text has to move.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { call } from '../../src/operations/call.js';
import { scriptedModel } from '../../src/testing/scripted-model.js';
import { openWorkshop, type Workshop } from './workshop.js';

let workshop: Workshop;
beforeEach(async () => {
  workshop = await openWorkshop();
});
afterEach(() => workshop.close());

/** Code points that `continue` asks for before the cursor. */
const surrounding = 2_000;
const names = ['林远', '沈砚', '许澄', '周伯', '阿蘅', '顾长风', '小满'];
const sentence = (at: number) =>
  `${names[at % 7]}在第${at}日走过${names[(at * 3) % 7]}的院子，捡起${at % 13}枚铜钱，又想起${names[(at * 5) % 7]}说过的话。`;
const prose = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => sentence(from + index) + (index % 4 === 3 ? '\n' : '')).join(
    '',
  );

it('keeps what a provider has kept from run to run [skill.stable]', async () => {
  for (let order = 1; order <= 12; order += 1)
    await workshop.call('documents:put', {
      ...{ projectId: 'novel', documentId: `c${order}`, title: `第${order}章`, order },
      text: prose(order * 100, 90),
    });
  const model = scriptedModel(['好。'], 'openai/gpt-4.1');
  const context = { ...workshop.context, model: async () => model };
  let text = prose(5_000, 90);
  let moved = 0;
  for (let turn = 0; turn < 24; turn += 1) {
    text += prose(6_000 + turn * 4, 4);
    const asked = { projectId: 'novel', skillId: 'continue', documentId: 'live', text };
    await call('ai:skill:run', { ...asked, budget: { tokens: 9_000 }, rewrites: 0 }, context);
    expect(model.requests.at(-1)?.prompt).toContain([...text].slice(-surrounding).join(''));
    const [before, now] = model.requests.slice(-2).map(({ system = '', prompt }) => system + prompt);
    if (now === undefined || before === undefined) continue;
    let same = 0;
    while (same < now.length && now[same] === before[same]) same += 1;
    // Behind the old text stand the end of the fence and what is asked.
    if (same < before.length - 200) moved += 1;
  }
  expect(model.requests).toHaveLength(24);
  expect(moved).toBeLessThanOrEqual(10);
});
