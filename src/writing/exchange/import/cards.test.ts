import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { packZip } from '../export/pack-zip.js';
import { cardFile } from './card-file.js';
import { readIncoming } from './read-incoming.js';

const read = (name: string, value: unknown) =>
  readIncoming([{ name, bytes: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)) }]);

function png(texts: Readonly<Record<string, string>>): Buffer {
  const chunk = (kind: string, data: string) => {
    const body = Buffer.from(`${kind}${data}`, 'latin1');
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const parts = Object.entries(texts).map(([key, text]) =>
    chunk('tEXt', `${key}\0${Buffer.from(text).toString('base64')}`),
  );
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    ...parts,
    chunk('IEND', ''),
  ]);
}

const card = {
  spec: 'chara_card_v2',
  data: {
    name: '林远',
    description: '{{char}}是守夜人。',
    personality: '冷静',
    mes_example: '<START>\n{{char}}：走吧。',
    first_mes: '夜深了。',
    tags: ['古风'],
    extensions: { depth: 4 },
    character_book: {
      entries: [
        { keys: ['断剑', '剑'], content: '断了的剑。', enabled: true, constant: true, insertion_order: 5 },
      ],
    },
  },
};

describe('a character card', () => {
  it('becomes a card of the book and one for each entry of its book; the rest is kept', async () => {
    const { format, cards, fields, kept } = await read('lin.json', card);
    expect(format).toBe('character card');
    expect(cards).toEqual([
      {
        ...{ name: '林远', aliases: [], kind: 'character', inclusion: 'detected', relations: [] },
        description: '林远是守夜人。',
        sections: [
          { heading: 'personality', text: '冷静' },
          { heading: 'voice', text: '林远：走吧。' },
        ],
      },
      {
        name: '断剑',
        aliases: ['剑'],
        kind: 'lore',
        inclusion: 'always',
        relations: [],
        description: '断了的剑。',
        sections: [],
      },
    ]);
    const became = new Map(fields.map((row) => [row.field, row.became]));
    expect([...became.keys()].sort()).toEqual(
      [
        'character_book',
        'character_book.constant',
        'character_book.content',
        'character_book.enabled',
        'character_book.insertion_order',
        'character_book.keys',
        'description',
        'extensions',
        'first_mes',
        'mes_example',
        'name',
        'personality',
        'tags',
      ].sort(),
    );
    expect(became.get('first_mes')).toBe('kept beside');
    expect(JSON.parse(kept[0]?.text ?? '')).toEqual(card);
  });

  it('of the first version is flat, and of the third lies in a PNG beside the second', async () => {
    const old = await read('old.json', {
      name: 'Ann',
      description: 'A baker.',
      first_mes: 'Hi',
      mes_example: '',
    });
    expect(old.cards.map(({ name, description }) => [name, description])).toEqual([['Ann', 'A baker.']]);
    const third = { spec: 'chara_card_v3', data: { name: 'Ann', nickname: 'Annie', description: 'third' } };
    const both = png({ chara: JSON.stringify(card), ccv3: JSON.stringify(third) });
    const { cards, warnings } = await readIncoming([{ name: 'ann.png', bytes: both }]);
    expect(cards.map(({ name, aliases }) => [name, aliases])).toEqual([['Ann', ['Annie']]]);
    expect(warnings).toEqual([]);
    both[45] = (both[45] ?? 0) ^ 1;
    const damaged = await readIncoming([{ name: 'ann.png', bytes: both }]);
    expect(damaged.warnings.map(({ code }) => code)).toEqual(['CARD_DAMAGED']);
  });

  it('is written in the lines that the folder reads', async () => {
    const { cards } = await read('lin.json', card);
    expect(cards.map((each) => cardFile(each, 'zh'))).toEqual([
      '# 林远\n\n类型：人物\n注入：检测\n\n林远是守夜人。\n\n## 性格\n\n冷静\n\n## 说话的样子\n\n林远：走吧。\n',
      '# 断剑\n\n别名：剑\n类型：设定\n注入：总是\n\n断了的剑。\n',
    ]);
    expect(cardFile(cards[1]!, 'en')).toBe(
      '# 断剑\n\naliases: 剑\nkind: lore\ninclusion: always\n\n断了的剑。\n',
    );
  });
});

describe('a world book', () => {
  it('becomes a card an entry, by its comment or its first key', async () => {
    const { format, cards, fields } = await read('world.json', {
      entries: {
        0: {
          uid: 0,
          key: ['Old Harbour', 'harbour', '/harb.*/i'],
          comment: '',
          content: 'Fog.',
          disable: false,
          order: 100,
        },
        1: { uid: 1, key: [], comment: 'The War', content: 'Long ago.', constant: true, disable: true },
      },
    });
    expect(format).toBe('world book');
    expect(cards.map(({ name, aliases, inclusion }) => [name, aliases, inclusion])).toEqual([
      ['Old Harbour', ['harbour'], 'detected'],
      ['The War', [], 'never'],
    ]);
    expect(fields).toContainEqual({ field: 'key', became: 'kept beside', count: 1 });
    expect(fields).toContainEqual({ field: 'order', became: 'kept beside', count: 1 });
  });
});

describe("NovelCrafter's export", () => {
  it('brings acts, chapters and codex; notes go into cards, snippets and other fields are kept', async () => {
    const metadata = {
      id: 'x1',
      attributes: {
        type: 'character',
        name: 'Ann',
        aliases: ['Annie'],
        color: 'red',
        alwaysIncludeInContext: true,
      },
      relationships: { nestedEntries: ['x2'] },
    };
    const files = {
      'novel.md':
        '# Rain\n\nby me\n\n## Act 1\n\n### Chapter 1\n\nIt rained.\n\n* * *\n\nStill.\n\n### Chapter 2\n\nIt stopped.\n\n## Act 2\n\n### Chapter 3\n\nSun.\n',
      'characters/ann-2abcDEF9/entry.md': '---\ntype: character\nname: Ann\n---\nA *baker*.\n',
      'characters/ann-2abcDEF9/metadata.json': JSON.stringify(metadata),
      'characters/ann-2abcDEF9/notes.md': 'Ask a baker.',
      'locations/mill-3abcDEF9/entry.md':
        '---\ntype: location\nname: The Mill\naliases: [mill]\nid: x2\n---\nOld.\n',
      'locations/mill-3abcDEF9/metadata.json': '{"id":"x2"}',
      'snippets/2026-01-01 idea - abc.md': 'An idea.',
      'codex.html': '<html></html>',
    };
    const bytes = packZip(Object.entries(files).map(([path, content]) => ({ path, content })));
    const read = await readIncoming([{ name: 'rain.zip', bytes }]);
    expect(read.format).toBe('novelcrafter');
    expect(read.chapters.map(({ title, volume }) => [volume, title])).toEqual([
      [undefined, undefined],
      ['Act 1', undefined],
      ['Act 1', 'Chapter 1'],
      ['Act 1', 'Chapter 2'],
      ['Act 2', undefined],
      ['Act 2', 'Chapter 3'],
    ]);
    expect(read.cards).toEqual([
      {
        name: 'Ann',
        aliases: ['Annie'],
        kind: 'character',
        inclusion: 'always',
        relations: ['The Mill'],
        description: 'A *baker*.',
        sections: [{ heading: 'notes', text: 'Ask a baker.' }],
      },
      {
        name: 'The Mill',
        aliases: ['mill'],
        kind: 'location',
        inclusion: 'detected',
        relations: [],
        description: 'Old.',
        sections: [],
      },
    ]);
    expect(read.kept.map(({ path }) => path)).toEqual([
      'rain/snippets/2026-01-01 idea - abc.md',
      'rain.json',
    ]);
    expect(read.kept[1]?.text).toContain('"color": "red"');
    expect(read.fields).toContainEqual({ field: 'color', became: 'kept beside', count: 1 });
    expect(read.warnings.map(({ code }) => code)).toEqual(['FILE_SKIPPED']);
  });
});
