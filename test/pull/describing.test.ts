// A description of a pull request, seen from the forge: in its own place, with every file, and nothing of it read as anything else.
import { describe, expect, it } from 'vitest';
import { withDescription, withoutDescription } from '../../src/review/ask/description-text.js';
import { pullGround } from './ground-for-test.js';

const links = (...pairs: readonly (readonly [string, string])[]) =>
  pairs.map(([from, to]) => ({ from, to, label: 'calls "it" | --> x' }));

async function described(answer: object, description = 'By hand.\r\n\r\n- a list') {
  const ground = await pullGround({
    says: (prompt) => (prompt.includes('the JSON object that describes') ? answer : undefined),
  });
  const { forge } = ground;
  await forge.commit({ branch: 'main', files: { 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' } });
  await forge.commit({
    branch: 'topic',
    from: 'main',
    files: { 'src/a.ts': 'A\n', 'src/b.ts': 'B\n', 'src/c.ts': 'C\n', 'package-lock.json': '{}\n' },
  });
  const number = await forge.openPull({ head: 'topic', title: 'A change', description });
  const describeIt = (request: object = {}) =>
    ground.operation('forge:describe', { pull: String(number), model: 'test/scripted', ...request });
  return { ground, forge, number, describeIt };
}

const answer = {
  title: 'Letters are capitals',
  overview: 'Every letter becomes a capital.',
  groups: [
    { name: 'Letters', files: ['src/a.ts', 'src/b.ts', '../etc/passwd'], text: 'They change; see @ada.' },
    { name: 'More', files: ['src/a.ts'], text: 'Said twice.' },
  ],
  links: links(['A', 'B'], ['B', 'C'], ['C', 'D "quoted" ]']),
};

describe('a description', () => {
  it('is only printed unless it is to be written', async () => {
    const { forge, number, describeIt } = await described(answer);
    const { text, title, written, described: told } = await describeIt();
    expect({ title, written, told }).toEqual({
      title: 'Letters are capitals',
      written: false,
      told: { files: 2, of: 4 },
    });
    expect(forge.pull(number).description).toBe('By hand.\r\n\r\n- a list');
    expect(text).toContain('**Letters** — They change; see `@ada`.\n  `src/a.ts`, `src/b.ts`');
    expect(text).not.toContain('passwd');
    expect(text).not.toContain('Said twice');
    // What nothing is said of is named all the same.
    expect(text).toContain('Not described (2 files)');
    expect(text).toContain('- `package-lock.json`');
    expect(text).toContain('- `src/c.ts`');
  });

  it('stands in a marked part, is written anew in its place, and leaves the words of people alone', async () => {
    const { forge, number, describeIt } = await described(answer);
    await describeIt({ write: true });
    const first = forge.pull(number).description;
    expect(first.startsWith('By hand.\r\n\r\n- a list\n\n<!-- galley:description -->\n')).toBe(true);
    forge.editPull(number, { description: `${first}\n\nAdded below.` });
    await describeIt({ write: true });
    expect(forge.pull(number).description).toBe(`${first}\n\nAdded below.`);
    const { prompt } = (await described(answer, first)).ground.model.requests[0] ?? { prompt: '' };
    expect(prompt).not.toContain('Every letter');
  });

  it('is no part of what the author says to a reviewer', async () => {
    const { ground, describeIt, number } = await described(answer);
    await describeIt({ write: true });
    await ground.review(number, { post: false });
    const { prompt } = ground.model.requests.at(-1)!;
    expect(prompt).toContain('By hand.');
    expect(prompt).not.toContain('Every letter becomes');
  });

  it('has a diagram only where more than three parts work together, and no name in it is syntax', async () => {
    const { describeIt } = await described(answer);
    const { text } = await describeIt();
    const diagram = /```mermaid\n([\s\S]*?)\n```/.exec(text)?.[1] ?? '';
    expect(diagram.split('\n')).toEqual([
      'flowchart LR',
      '  p0["A"]',
      '  p1["B"]',
      '  p2["C"]',
      '  p3["D #34;quoted#34; #93;"]',
      '  p0 -- "calls #34;it#34; #124; --#62; x" --> p1',
      '  p1 -- "calls #34;it#34; #124; --#62; x" --> p2',
      '  p2 -- "calls #34;it#34; #124; --#62; x" --> p3',
    ]);
    const few = await described({ ...answer, links: links(['A', 'B'], ['B', 'C']) });
    expect((await few.describeIt()).text).not.toContain('mermaid');
  });

  it('that cannot be read is refused, and nothing is written', async () => {
    const { forge, number, describeIt } = await described({ nothing: true });
    await expect(describeIt({ write: true })).rejects.toMatchObject({ code: 'MODEL_ANSWER_INVALID' });
    expect(forge.pull(number).description).toBe('By hand.\r\n\r\n- a list');
  });

  it('comes out as it went in', () => {
    for (const body of ['', 'a', 'a\n\nb', '<!-- galley:description -->'])
      expect(withoutDescription(withDescription(body, 'ours')).trimEnd()).toBe(body.trimEnd());
  });
});
