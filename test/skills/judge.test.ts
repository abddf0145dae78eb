import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JudgedText } from '../../src/writing/judge/judge-project.js';
import { openWorkshop, type Workshop } from './workshop.js';

const novel = join(process.cwd(), 'examples', 'novel');
const chapters = [
  '01-silence',
  '02-fourth-crater',
  '03-the-box',
  '04-borrowed-hours',
  '05-the-truth',
  '06-the-wall',
  '07-listener',
];

let workshop: Workshop;
beforeEach(async () => {
  workshop = await openWorkshop({ folder: novel });
});
afterEach(() => workshop.close());

const judge = (request: object) =>
  workshop.call<JudgedText>('constraints:judge', { projectId: 'novel', ...request });

describe('constraints:judge', () => {
  it('finds nothing in the sample novel and names what it could not check [constraints.judge]', async () => {
    for (const [index, name] of chapters.entries()) {
      const text = await readFile(join(novel, 'chapters', `${name}.md`), 'utf8');
      expect(await judge({ text, chapter: index + 1 })).toEqual({
        findings: [],
        unchecked: [expect.stringMatching(/^\.galley\/constraints\.md#[0-9a-f]{12}$/)],
      });
    }
  });

  it('quotes the words that break a constraint, at their place in code points [constraints.judge]', async () => {
    const text = '😀林远推开门，走进了房间。林远看了看表。他没有说话！';
    const { findings } = await judge({ text, chapter: 2 });
    const kinds = new Set(findings.map(({ check }) => check));
    expect(kinds).toEqual(new Set(['narrative-person', 'forbidden-punctuation']));
    for (const { start, end, evidence, constraintId } of findings) {
      expect([...text].slice(start, end).join('')).toBe(evidence);
      expect(constraintId).toMatch(/^\.galley\/constraints\.md#[0-9a-f]{12}$/);
    }
    expect(findings.find(({ check }) => check === 'forbidden-punctuation')?.evidence).toBe('！');
  });

  it('takes the chapter from the document when none is given', async () => {
    await workshop.store.documents.put('p', { id: 'd3', title: '第三章', order: 9, text: '' });
    await workshop.store.documents.put('p', { id: 'd6', title: '第六章', order: 1, text: '' });
    await workshop.store.constraints.create('p', { id: 'c', kind: 'plot', text: '“卧底”在第五章之前不出现' });
    const text = '他就是卧底。';
    expect((await judge({ projectId: 'p', documentId: 'd3', text })).findings).toMatchObject([
      { constraintId: 'c', evidence: '卧底' },
    ]);
    expect((await judge({ projectId: 'p', documentId: 'd6', text })).findings).toEqual([]);
  });

  it('knows only the constraints of its own project [scope.isolate]', async () => {
    await workshop.store.constraints.create('a', { kind: 'style', text: '避免使用问号' });
    const context = { ...workshop.context, folder: join(novel, 'chapters') };
    const { call } = await import('../../src/operations/call.js');
    expect(await call('constraints:judge', { projectId: 'b', text: '是吗？' }, context)).toEqual({
      findings: [],
      unchecked: [],
    });
  });
});
