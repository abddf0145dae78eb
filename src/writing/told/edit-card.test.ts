import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sweepSize } from '../../../test/sweep-size.js';
import { readCard } from './card-file.js';
import { type CardContent, editCard, newCard } from './edit-card.js';

const path = '设定/林远.md';
const read = (text: string) => readCard(text.replace(/^\uFEFF/u, '').replace(/\r\n/gu, '\n'), path).entity;

const name = fc.oneof(
  fc.constantFrom('林远', 'Ada', '#1', 'A、B', '沈砚（老师）', 'x: y', '- a', '`b`'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((text) => text.trim() !== ''),
);
const words = fc.oneof(
  fc.constantFrom(
    '守夜人，左手有旧伤',
    'Keeps the light.',
    '第五章：别的',
    '他在第五章揭露秘密',
    '- 带点',
    '## 标题',
    '别名：假',
  ),
  fc.constantFrom(
    '事实：真',
    '\\反斜线',
    '(第3章起) 前缀',
    '类型：主角',
    '--> 尾',
    '原来他是卧底（第九章前保密）',
    '* 星',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => text.trim() !== ''),
);
const chapter = fc.integer({ min: 1, max: 120 });
const fact = fc.oneof(
  fc.record({ text: words }),
  fc.record({ text: words, from: chapter }),
  fc.record({ text: words, until: chapter }),
  fc.tuple(words, chapter, fc.nat(20)).map(([text, from, more]) => ({ text, from, until: from + more })),
);

const content: fc.Arbitrary<CardContent> = fc.record({
  name,
  aliases: fc.uniqueArray(name, { maxLength: 3 }),
  kind: fc.constantFrom('', '主角', '地点', 'ship, old'),
  description: fc.array(words, { maxLength: 4 }).map((lines) => lines.join('\n')),
  inclusion: fc.constantFrom('always', 'detected', 'manual', 'never'),
  neverTrimmed: fc.boolean(),
  facts: fc.array(fact, { maxLength: 3 }),
  secrets: fc.array(fc.record({ text: words, hiddenUntil: chapter }), { maxLength: 2 }),
  relations: fc.array(fc.record({ to: name, label: fc.oneof(fc.constant(''), name) }), { maxLength: 2 }),
});

const line = fc.constantFrom(
  ...[
    '',
    '',
    '守夜人。',
    '别名：阿远、老林',
    '类型：主角',
    '关系：沈砚（老师）',
    '- 第三章起：受伤。',
    '- 第五章前保密：他没死。',
  ],
  ...[
    '## 过去',
    '## 第七章',
    '  后来又好了。',
    '- 一条',
    '第二卷前保密：卧底。',
    '<!-- 记着问编辑 -->',
    '事实：左撇子',
    '* 星号',
  ],
);
const card = fc
  .record({
    lines: fc.array(line, { maxLength: 12 }),
    eol: fc.constantFrom('\n', '\r\n'),
    bom: fc.boolean(),
    titled: fc.boolean(),
  })
  .map(
    ({ lines, eol, bom, titled }) =>
      `${bom ? '\uFEFF' : ''}${[...(titled ? ['# 林远', ''] : []), ...lines].join(eol)}`,
  );

const runs = { seed: 15, numRuns: sweepSize('edits of a card', { everyRun: 300, nightly: 10_000 }) };

function attempt(change: () => string): string | undefined {
  try {
    return change();
  } catch (error) {
    expect(error).toMatchObject({ code: 'FILE_UNREADABLE' });
    return undefined;
  }
}

describe('a card that people and commands change', () => {
  it('says what it is told, whatever the words are', () => {
    fc.assert(
      fc.property(content, (wanted) => {
        const entity = read(newCard(wanted, { path }));
        const flat = (text: string) => text.replace(/\s+/gu, ' ').trim();
        expect(entity.name).toBe(flat(wanted.name));
        expect([...entity.aliases].sort()).toEqual(wanted.aliases.map(flat).sort());
        for (const { text } of wanted.facts)
          expect(entity.facts.map((each) => each.text)).toContain(flat(text));
        for (const { text, hiddenUntil } of wanted.secrets)
          expect(entity.secrets).toContainEqual({ text: flat(text), hiddenUntil });
        expect(entity.relations).toHaveLength(wanted.relations.length);
        expect(entity).toMatchObject({ inclusion: wanted.inclusion, neverTrimmed: wanted.neverTrimmed });
      }),
      runs,
    );
  });

  it('told what it says already it keeps every byte', () => {
    fc.assert(
      fc.property(card, (text) => {
        expect(editCard(text, read(text), { path })).toBe(text);
      }),
      runs,
    );
  });

  it('one field is changed, and every line about something else stays as it was', () => {
    let changed = 0;
    fc.assert(
      fc.property(
        card,
        content,
        fc.constantFrom('aliases', 'kind', 'facts', 'secrets', 'relations'),
        (text, wish, key) => {
          const before = read(text);
          const wanted = { ...before, [key]: wish[key] };
          const after = attempt(() => editCard(text, wanted, { path }));
          if (after === undefined) return;
          changed += 1;
          const { [key]: _was, ...others } = before;
          expect(read(after)).toMatchObject(others);
          const { places, unclear } = readCard(text.replace(/^\uFEFF/u, '').replace(/\r\n/gu, '\n'), path);
          const lines = text.replace(/^\uFEFF/u, '').split(/(?<=\n)/u);
          const told = [...places.description, ...unclear].sort((one, other) => one - other);
          const left = after.replace(/^\uFEFF/u, '').split(/(?<=\n)/u);
          for (const at of told) {
            const found = left.findIndex((part) => part.trimEnd() === (lines[at - 1] ?? '').trimEnd());
            expect(found).toBeGreaterThanOrEqual(0);
            left.splice(0, found + 1);
          }
          if (text.includes('\r\n')) expect(after.replaceAll('\r\n', '')).not.toContain('\n');
        },
      ),
      runs,
    );
    expect(changed).toBeGreaterThan(runs.numRuns / 2);
  });

  it('keeps a person’s card readable: fields, words, then what holds when', () => {
    const made = newCard(
      {
        ...{ name: '林远', aliases: ['阿远', '老林'], kind: '主角', description: '守夜人。\n左手有旧伤。' },
        ...{ inclusion: 'detected', neverTrimmed: false, relations: [{ to: '沈砚', label: '老师' }] },
        facts: [{ text: '手套丢了', from: 3, until: 5 }],
        secrets: [{ text: '他是卧底', hiddenUntil: 9 }],
      },
      { path },
    );
    expect(made).toBe(
      '# 林远\n\n类型：主角\n别名：阿远、老林\n关系：沈砚（老师）\n注入：检测\n守夜人。\n左手有旧伤。\n\n- 第3章到第5章：手套丢了\n- 第9章前保密：他是卧底\n',
    );
    const entity = read(made);
    const edited = editCard(made, { ...entity, description: '守夜人。\n右手也伤了。', facts: [] }, { path });
    expect(edited).toBe(
      made.replace('左手有旧伤。', '右手也伤了。').replace('- 第3章到第5章：手套丢了\n', ''),
    );
  });

  it('a secret that leads others is not taken out from under them', () => {
    const text = '# 林远\n\n第九章前保密：他是卧底\n  - 名单在他手里\n';
    const entity = read(text);
    expect(() => editCard(text, { ...entity, secrets: entity.secrets.slice(1) }, { path })).toThrow(
      /by hand/,
    );
  });
});
