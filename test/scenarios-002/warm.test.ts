// What an engine remembers from one assembly to the next never shows: a process that remembers nothing sets the same prompt.
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/sqlite/open-store.js';
import type { Store } from '../../src/store/store.js';
import { shellDoor } from '../doors/doors.js';
import { type Desk, openDesk, project } from './desk.js';

const turns = 100;
const places = ['渡口', '灯塔', '石桥', '雨巷', '钟楼'];

const story = (days: number, salt: number) =>
  Array.from(
    { length: days },
    (_, day) =>
      `${day % 2 === salt % 2 ? '沈舟' : '林雪'}第${day * salt}日走过${places[(day + salt) % places.length]}，没有回头。${day % 5 === 4 ? '\n' : ''}`,
  ).join('');

describe('a hundred turns', () => {
  let desk: Desk;
  /** As another process has it. */
  let other: Store;
  let file = '';

  beforeEach(async () => {
    desk = await openDesk();
    file = join(desk.context.folder, 'galley.db');
    let time = 1_000;
    other = await openStore({ path: file, now: () => ++time });
    for (let n = 1; n <= 6; n += 1)
      await desk.call('documents:put', {
        projectId: project,
        documentId: `第${n}章`,
        text: story(60, n),
      });
    await desk.call('entities:put', { projectId: project, name: '沈舟', description: '船工。' });
    await desk.call('memory:put', { projectId: project, kind: 'semantic', text: '短句。', confidence: 1 });
    await desk.call('constraints:create', { projectId: project, text: '没有魔法', kind: 'world' });
  });

  afterEach(async () => {
    await other.close();
    await desk.close();
  });

  /** Somebody else writes what an assembly reads; the words must be in the next prompt. */
  const writeElsewhere = async (turn: number): Promise<string> => {
    const words = `改${turn}`;
    const kinds = [
      () => other.entities.put(project, { name: '沈舟', description: `船工，${words}。` }),
      () => other.memory.put(project, { kind: 'semantic', text: words, confidence: 1 }),
      () => other.constraints.create(project, { text: words, kind: 'world', origin: 'user' }),
      () => other.settings.put(project, 'style_guide', words),
    ];
    await kinds[(turn / 10) % kinds.length]?.();
    return words;
  };

  it('read as they would in a process that starts with each of them, whoever writes meanwhile [assemble.warm]', async () => {
    const cold = shellDoor(desk.context.folder, file);
    const chapter = story(200, 9);
    let compared = 0;
    for (let turn = 0; turn < turns; turn += 1) {
      const request = {
        documentId: '第7章',
        text: chapter.slice(0, 400 + turn * 12),
        skillId: '',
        ...(turn % 3 === 0 ? { additionalInput: '沈舟在渡口' } : {}),
        ...(turn > 50 ? { budget: { tokens: 4_500 } } : {}),
      };
      const written = turn % 10 === 0 ? await writeElsewhere(turn) : '';
      const { prompt } = await desk.assemble(request);
      expect(prompt).toContain(written);
      if (turn % 20 !== 10) continue;
      const asked = { projectId: project, cursorPosition: 1_000_000, ...request };
      const warm = JSON.parse(JSON.stringify(await desk.call('context:inspect', asked)));
      expect(JSON.parse(await cold.call('context:inspect', asked))).toEqual(warm);
      compared += 1;
    }
    expect(compared).toBe(turns / 20);
  }, 120_000);
});
