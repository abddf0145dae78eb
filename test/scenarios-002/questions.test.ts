// What the writer asks for while writing: the passage that answers comes first, whatever the scene is about, and where it
// does not fit its telling sentence does.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ContextInspectResult } from '../../src/writing/context/inspect-context.js';
import { setContext } from '../../src/writing/context/set-context.js';
import { contextRequest } from '../../src/writing/layers/context-request.js';
import { type Desk, giveBudget, openDesk, project } from './desk.js';

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
});
afterEach(() => desk.close());

const harbour = '老船停在渡口，桅灯照着潮水，渡口的人都在等老船开。';
const letter = '那封信藏在钟楼第三层的砖缝里，砖上刻着一个林字。';
const garden = '园中的海棠谢了，落花铺在石径上，无人来扫。';

async function put(...texts: readonly string[]): Promise<void> {
  for (const [index, text] of texts.entries())
    await desk.call('documents:put', { projectId: project, documentId: `旧章${index}`, title: '', text });
}

/** Passages, best first. */
async function offered(additionalInput: string, text: string): Promise<string[]> {
  const request = contextRequest.parse({
    projectId: project,
    documentId: '新章',
    text,
    cursorPosition: text.length,
    skillId: '',
    additionalInput,
  });
  const { fragments } = await setContext(request, { store: desk.store, signal: desk.context.signal });
  return fragments
    .filter(({ layer }) => layer === 'retrieved')
    .sort((a, b) => b.rank - a.rank)
    .map(({ levels }) => (levels[0]?.body.kind === 'titled' ? levels[0].body.text : ''));
}

describe('a question', () => {
  it('is answered first although the scene is about something else', async () => {
    await put(harbour, letter, garden);
    const scene = '渡口起了风，老船上的桅灯晃着，潮水拍着渡口，老船要开了。';
    expect((await offered('', scene))[0]).toBe(harbour);
    expect((await offered('信藏在哪里', scene))[0]).toBe(letter);
  });

  it('is answered by a chapter of that name', async () => {
    await put(garden, harbour);
    const same = { projectId: project, text: letter };
    await desk.call('documents:put', { ...same, documentId: '甲', title: '无题' });
    await desk.call('documents:put', { ...same, documentId: '乙', title: '钟楼' });
    const titles = async () =>
      (
        await setContext(
          contextRequest.parse({
            projectId: project,
            documentId: '新章',
            text: '',
            cursorPosition: 0,
            skillId: '',
            additionalInput: '钟楼的信',
          }),
          { store: desk.store, signal: desk.context.signal },
        )
      ).fragments
        .filter(({ layer }) => layer === 'retrieved')
        .sort((a, b) => b.rank - a.rank)
        .map(({ levels }) => (levels[0]?.body.kind === 'titled' ? levels[0].body.title : ''));
    expect((await titles())[0]).toBe('钟楼');
    await desk.call('documents:put', { ...same, documentId: '乙', title: '无题' });
    await desk.call('documents:put', { ...same, documentId: '甲', title: '钟楼' });
    expect((await titles())[0]).toBe('钟楼');
  });

  const long = `${harbour.repeat(5)}${letter}${garden.repeat(5)}`;
  const ask = (change: object = {}) =>
    desk.assemble({
      documentId: '新章',
      text: '',
      cursorPosition: 0,
      skillId: '',
      additionalInput: '信藏在哪里？',
      ...change,
    });

  it('is answered by the telling sentence of a passage that does not fit', async () => {
    await put(long);
    await giveBudget(desk, 160);
    const { prompt, receipt, tokenCount, budget } = await ask();
    expect(prompt).toContain(letter);
    expect(prompt).not.toContain(long);
    expect(tokenCount).toBeLessThanOrEqual(budget.total);
    expect(receipt.ledger.find(({ fragment }) => fragment.startsWith('chunk:'))).toMatchObject({
      verdict: 'stepped-down',
      level: expect.stringMatching(/^trimmed to \d+ of \d+$/),
    });
    const inspected = await desk.call<ContextInspectResult>('context:inspect', {
      projectId: project,
      documentId: '新章',
      text: '',
      cursorPosition: 0,
      skillId: '',
      additionalInput: '信藏在哪里？',
      layout: 'exact',
    });
    expect(prompt).toContain(inspected.layers.retrieved.text);
  });

  it('is answered by the best passage whole before a lesser one is shown, and never worse with more room [W7]', async () => {
    const lesser = `信藏了又取，走了三天。${garden.repeat(3)}`;
    await put(long, lesser, garden);
    let before = '';
    for (let room = 110; room <= 900; room += 40) {
      await giveBudget(desk, room);
      const { prompt, tokenCount } = await ask({ layout: 'exact' });
      expect(tokenCount).toBeLessThanOrEqual(room);
      expect(prompt).toContain(letter);
      if (prompt.includes('走了三天')) expect(prompt).toContain(long);
      for (const sentence of before.match(/[^。\n…]+。/g) ?? []) expect(prompt).toContain(sentence);
      before = prompt;
    }
    expect(before).toContain('走了三天');
  });

  it('is answered in part again when the lane goes on and nothing fits whole [W7]', async () => {
    await put(long);
    await giveBudget(desk, 160);
    expect((await ask()).prompt).toContain(letter);
    expect((await ask()).prompt).toContain(letter);
  });

  it('is answered at once although other passages were shown before [prefix.friendly]', async () => {
    const answer = `${garden.repeat(2)}${letter}${garden.repeat(2)}`;
    await put(harbour.repeat(4), `${'雪下得很大。'.repeat(60)}老船要开。`, answer);
    await giveBudget(desk, 560, { immediate: { share: 0.5, floor: 0 } });
    const text = '渡口起了风，老船上的桅灯晃着，潮水拍着渡口，老船要开了。'.repeat(10);
    const write = (more: object) => desk.assemble({ documentId: '新章', text, skillId: '', ...more });
    expect((await write({})).prompt).not.toContain(letter);
    expect((await write({ additionalInput: '信藏在哪里？' })).prompt).toContain(letter);
  });

  it('shows where sentences are missing as the language of the prompt does', async () => {
    await put(`${letter}${'雪下得很大。'.repeat(60)}${letter}`);
    await giveBudget(desk, 160);
    expect((await ask()).prompt).toContain('……');
    const english = (await ask({ language: 'en', layout: 'exact' })).prompt;
    expect(english).toContain(' … ');
    expect(english).not.toContain('……');
  });

  it('is answered within the budget where a character weighs several tokens', async () => {
    const rare = '𪚥𪚥𪚥𪚥𪚥𪚥。'.repeat(20);
    await put(`${rare}${letter}${rare}`);
    await giveBudget(desk, 160);
    const { prompt, tokenCount, budget } = await ask();
    expect(prompt).toContain(letter);
    expect(tokenCount).toBeLessThanOrEqual(budget.total);
  });

  it('leaves a passage whole or out when room that is left over is not to be used', async () => {
    await put(long);
    await giveBudget(desk, 160);
    expect((await ask({ refill: false })).prompt).not.toContain(letter);
    await giveBudget(desk, 4_000);
    expect((await ask()).prompt).toContain(long);
  });

  it('is not remembered as shown when it was answered by a part', async () => {
    await put(long);
    await giveBudget(desk, 160);
    await ask();
    const lanes = JSON.stringify(await desk.store.lanes.get(project, 'context ["",""]'));
    expect(lanes).not.toContain('chunk:');
  });
});
