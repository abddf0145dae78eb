// What has not happened yet stays out of the prompt: later chapters, what stands behind the cursor, secrets; the receipt counts it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assembleContext } from '../../src/writing/context/assemble-context.js';
import { contextRequest } from '../../src/writing/layers/context-request.js';
import type { AssembledSkill } from '../../src/writing/skill-run/assemble-skill.js';
import { type Desk, giveBudget, openDesk, project } from './desk.js';
import { failing } from './faulty-store.js';
import { prose } from './prose.js';

const texts = {
  第一章: '林远在渡口捡到一把铜钥匙。',
  第二章: '林远把铜钥匙藏进袖子。',
  第三章: '铜钥匙打开了塔门，塔里睡着林远的父亲。',
};

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
  for (const [documentId, text] of Object.entries(texts))
    await desk.call('documents:put', { projectId: project, documentId, text });
});
afterEach(() => desk.close());

const untold = ({ ledger }: { ledger: readonly { fragment: string; reason: string }[] }) =>
  ledger
    .filter(({ reason }) => /later in the story|still a secret/.test(reason))
    .map(({ fragment, reason }) => [fragment.replace(/#.*/, ''), reason]);

describe('what comes later in the story', () => {
  it('stays out of an assembly and is counted with a reason [story.time]', async () => {
    const { prompt, receipt, layers, warnings } = await desk.assemble({ documentId: '第二章' });
    expect(prompt).toContain(texts.第一章);
    expect(prompt).not.toContain('塔门');
    expect(untold(receipt)).toEqual([['chunk:第三章', 'it comes later in the story']]);
    expect(receipt.layers.find(({ id }) => id === 'retrieved')).toMatchObject({ kept: 1, left: 1 });
    expect(layers.retrieved).toMatchObject({ truncated: false, chunks: 1 });
    expect(warnings).toEqual([]);
  });

  it('stays out of a skill run unless it is asked for [story.time]', async () => {
    const run = (more: object) =>
      desk.call<AssembledSkill>('ai:skill:run', {
        projectId: project,
        documentId: '第二章',
        skillId: 'consistency',
        dryRun: true,
        ...more,
      });
    const plain = await run({});
    expect(plain.userContent).toContain(texts.第一章);
    expect(plain.userContent).not.toContain('塔门');
    expect(untold(plain.receipt)).toHaveLength(1);
    expect((await run({ later: 'marked' })).userContent).toContain('〔第三章〕（后文）');
  });

  it('crowds out nothing: an early chapter of a long book finds what came before it [W14]', async () => {
    for (let n = 4; n < 104; n += 1)
      await desk.call('documents:put', {
        projectId: project,
        documentId: `第${n}章`,
        text: `铜钥匙在林远袖子里，铜钥匙，林远，袖子，第${n}次。`.repeat(3),
      });
    const { prompt } = await desk.assemble({ documentId: '第二章' });
    expect(prompt).toContain(texts.第一章);
    expect(prompt).not.toMatch(/第\d+次/);
  });

  it('is not held from an earlier request that was allowed to see it [story.time]', async () => {
    for (let n = 1; n < 9; n += 1)
      await desk.call('documents:put', {
        projectId: project,
        documentId: `后${n}`,
        text: await prose(300, n, '铜钥匙'),
      });
    await giveBudget(desk, 2_600);
    const text = await prose(1_500, 40, '铜钥匙');
    await desk.assemble({ documentId: '后8', text, skillId: '' });
    const { prompt, receipt } = await desk.assemble({ documentId: '第二章', text, skillId: '' });
    expect(receipt.lane.digest).toBeDefined();
    expect(prompt).not.toContain('〔后');
  });

  it('has no place of its own in a draft that nobody stored, unless its first line says so [story.time]', async () => {
    const draft = (text: string) => desk.assemble({ documentId: '草稿', text });
    expect((await draft('林远摸着铜钥匙。')).prompt).toContain('塔门');
    expect((await draft('第二章 渡口\n林远摸着铜钥匙。')).prompt).not.toContain('塔门');
  });
});

describe('the chapter at hand', () => {
  const far = '父亲的名字刻在灯塔的第七块砖上。';
  const stretch = (salt: number) => prose(400, salt, '灯塔');

  const longChapter = async () => {
    const before = `${far}\n${await stretch(1)}\n${await stretch(2)}`;
    const after = `\n${await stretch(3)}\n${await stretch(4)}\n灯塔的第八块砖是空的。`;
    return { before, text: before + after };
  };
  const near = `---\nname: near\ndescription: 近处\nrecipe: continue\ncontext_rules:\n  surrounding: 60\n---\n写。\n`;

  it('gives what was told in it before, and not what stands behind the cursor [story.time]', async () => {
    const { before, text } = await longChapter();
    await desk.call('skills:put', { projectId: project, source: near });
    await desk.call('documents:put', { projectId: project, documentId: '第四章', text });
    const ask = (more: object) =>
      desk.assemble({
        documentId: '第四章',
        cursorPosition: [...before].length,
        skillId: 'near',
        additionalInput: '灯塔的第几块砖？',
        layout: 'exact',
        ...more,
      });
    const { prompt, receipt } = await ask({});
    expect(prompt).toContain(far);
    expect(prompt).not.toContain('第八块砖');
    expect(untold(receipt).some(([fragment]) => fragment === 'chunk:第四章')).toBe(true);
    expect((await ask({ later: 'marked' })).prompt).toContain('第八块砖');
  });

  it('is the live text alone: nothing is drawn from what was stored [W17]', async () => {
    await desk.call('documents:put', {
      projectId: project,
      documentId: '第二章',
      text: `${await prose(700, 5, '灯塔')}\n旧稿里铜钥匙丢进了海。`,
    });
    const { prompt, receipt } = await desk.assemble({ documentId: '第二章', text: '林远摸着铜钥匙。' });
    expect(prompt).not.toContain('丢进了海');
    expect(prompt).toContain(texts.第一章);
    expect(receipt.ledger.some(({ fragment }) => fragment.startsWith('chunk:第二章'))).toBe(false);
  });

  it('is not called missing when its live text is there and the list of chapters is not [W17]', async () => {
    const request = contextRequest.parse({
      projectId: project,
      documentId: '第二章',
      cursorPosition: 99,
      skillId: '',
      text: '林远摸着铜钥匙。',
    });
    const { signal, log } = desk.context;
    const store = failing(desk.store, 'documents');
    const { prompt, warnings } = await assembleContext(request, { store, signal, log });
    expect(prompt).toContain('林远摸着铜钥匙。');
    expect(warnings).toEqual(['RETRIEVAL_UNAVAILABLE: 检索片段未注入']);
  });
});

describe('a secret', () => {
  const tellsSecret = (text: string) => text.includes('父亲');
  const assemble = (more: object) =>
    assembleContext(
      contextRequest.parse({
        projectId: project,
        documentId: '第二章',
        cursorPosition: 99,
        skillId: '',
        ...more,
      }),
      { store: desk.store, signal: desk.context.signal, log: desk.context.log, tellsSecret },
    );

  it('stays out of passages even where later ones are asked for [W3]', async () => {
    const { prompt, receipt } = await assemble({ later: 'marked' });
    expect(prompt).not.toContain('父亲');
    expect(untold(receipt)).toEqual([['chunk:第三章', 'it tells what is still a secret here']]);
  });

  it('stays out of memory and of accepted texts [W3]', async () => {
    const memory = { projectId: project, kind: 'episodic' };
    await desk.call('memory:put', { ...memory, text: '塔里的人是林远的父亲。' });
    await desk.call('memory:put', { ...memory, text: '铜钥匙很旧。' });
    await desk.store.summaries.add(project, { text: '林远认出了父亲。', documentId: '第二章' });
    const { prompt, receipt } = await assemble({});
    expect(prompt).toContain('铜钥匙很旧');
    expect(prompt).not.toContain('父亲');
    expect(untold(receipt).map(([, reason]) => reason)).toContain('it tells what is still a secret here');
  });
});

describe('accepted texts', () => {
  it('are told in the order of the story, up to this chapter [W20]', async () => {
    for (const [documentId, text] of [
      ['第三章', '塔门开了。'],
      ['第一章', '钥匙捡到了。'],
      ['第二章', '钥匙藏好了。'],
    ] as const)
      await desk.store.summaries.add(project, { text, documentId });
    const { userContent } = await desk.call<AssembledSkill>('ai:skill:run', {
      projectId: project,
      documentId: '第二章',
      skillId: 'continue',
      dryRun: true,
    });
    expect(userContent).not.toContain('塔门开了');
    expect(userContent).toMatch(/钥匙捡到了[\s\S]*钥匙藏好了/);
    const first = await desk.call<AssembledSkill>('ai:skill:run', {
      projectId: project,
      documentId: '第一章',
      skillId: 'continue',
      dryRun: true,
    });
    expect(first.userContent).not.toContain('钥匙藏好了');
  });
});
