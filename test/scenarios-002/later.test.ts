// Passages of later chapters stay out; asked for, they stand beside earlier ones and say that they are no past.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadMeter } from '../../src/meters/load-meter.js';
import type { AssembledSkill } from '../../src/writing/skill-run/assemble-skill.js';
import { type Desk, openDesk, project } from './desk.js';

const texts = {
  第一章: '林远在渡口捡到一把铜钥匙。',
  第二章: '林远把铜钥匙藏进袖子。',
  第三章: '铜钥匙打开了塔门。',
};

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
  for (const [documentId, text] of Object.entries(texts))
    await desk.call('documents:put', { projectId: project, documentId, text });
});
afterEach(() => desk.close());

const amountOf = (receipt: { ledger: readonly { fragment: string; amount?: number }[] }, document: string) =>
  receipt.ledger.find(({ fragment }) => fragment.startsWith(`chunk:${document}#`))?.amount ?? 0;

describe('a passage of a later chapter that was asked for', () => {
  it('is marked behind its title; one of an earlier chapter reads as ever [layers.order]', async () => {
    const { prompt } = await desk.assemble({ documentId: '第二章', later: 'marked' });
    expect(prompt).toContain(
      `[前文参考]\n〔第一章〕\n${texts.第一章}\n\n〔第三章〕（后文）\n${texts.第三章}\n\n[当前章节`,
    );
  });

  it('is marked below its ref in a skill run, in either language [skill.refs]', async () => {
    const run = (language?: string) =>
      desk.call<AssembledSkill>('ai:skill:run', {
        projectId: project,
        documentId: '第二章',
        skillId: 'consistency',
        dryRun: true,
        later: 'marked',
        language,
      });
    const { userContent } = await run();
    expect(userContent).toContain(`\n〔第一章〕\n${texts.第一章}`);
    expect(userContent).toMatch(/ref:[^\n]*\n〔第三章〕（后文）\n铜钥匙/);
    expect((await run('en')).userContent).toMatch(
      /ref:[^\n]*\n— 第一章 —\n[\s\S]*ref:[^\n]*\n— 第三章 — \(from a later chapter\)\n铜钥匙/,
    );
  });

  it('costs what its mark costs, and nothing else about it changes [budget.tokenizer]', async () => {
    const second = await desk.assemble({ documentId: '第二章', later: 'marked' });
    await desk.call('documents:put', { projectId: project, documentId: '第四章', text: texts.第二章 });
    const fourth = await desk.assemble({ documentId: '第四章', layout: 'exact' });
    expect(fourth.prompt).not.toContain('（后文）');
    const meter = await loadMeter('o200k_base');
    const weight = (mark: string) => meter.weigh(`〔第三章〕${mark}\n${texts.第三章}`);
    expect(amountOf(second.receipt, '第三章')).toBe(weight('（后文）'));
    expect(amountOf(fourth.receipt, '第三章')).toBe(weight(''));
    expect(amountOf(fourth.receipt, '第一章')).toBe(amountOf(second.receipt, '第一章'));
  });

  it('is not told from an earlier one where the text at hand has no place', async () => {
    const { prompt } = await desk.assemble({ documentId: '草稿', text: texts.第二章 });
    expect(prompt).toContain('〔第三章〕\n');
    expect(prompt).not.toContain('（后文）');
  });

  it('is not told from one that stands at the same place', async () => {
    for (const [documentId, text] of Object.entries(texts))
      await desk.call('documents:put', { projectId: project, documentId, text, order: 1 });
    expect((await desk.assemble({ documentId: '第二章', later: 'marked' })).prompt).not.toContain('（后文）');
  });
});
