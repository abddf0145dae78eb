import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { packZip } from '../export/pack-zip.js';
import { readIncoming } from './read-incoming.js';
import { readZip } from './read-zip.js';

const zip = (files: Readonly<Record<string, string>>) =>
  packZip(Object.entries(files).map(([path, content]) => ({ path, content })));

const read = (name: string, bytes: Uint8Array) => readIncoming([{ name, bytes }]);

/** The directory entry of the first file, where sizes and names are promised. */
function directory(bytes: Uint8Array): { view: Buffer; at: number } {
  const view = Buffer.from(bytes);
  return { view, at: view.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) };
}

describe('a file that means harm, or is broken', () => {
  it('says it unpacks to gigabytes: refused before anything is unpacked', async () => {
    const { view, at } = directory(zip({ 'a.txt': 'x' }));
    view.writeUInt32LE(0xf0000000, at + 24);
    await expect(read('bomb.zip', view)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });

  it('says it is small and is not: refused, and never unpacked whole', async () => {
    const bytes = zip({ 'a.txt': 'x'.repeat(1_000) });
    const bomb = deflateRawSync(Buffer.alloc(50 * 1024 * 1024));
    const { view, at } = directory(bytes);
    const packed = view.readUInt32LE(at + 20);
    const name = 30 + view.readUInt16LE(26) + view.readUInt16LE(28);
    const head = view.subarray(0, name);
    const tail = view.subarray(name + packed);
    tail.writeUInt32LE(bomb.length, tail.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 20);
    const end = tail.indexOf(Buffer.from([0x50, 0x4b, 5, 6]));
    tail.writeUInt32LE(name + bomb.length, end + 16);
    const made = Buffer.concat([head, bomb, tail]);
    await expect(read('bomb.zip', made)).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
  });

  it('holds more files than anybody wrote chapters', () => {
    const { view } = directory(zip({ 'a.txt': 'x' }));
    view.writeUInt16LE(0xfffe, view.indexOf(Buffer.from([0x50, 0x4b, 5, 6])) + 10);
    expect(() => readZip(view, 'many.zip')).toThrow(/more than 20000 files/);
  });

  it('has paths that lead out of the folder, and links: left out by name', async () => {
    const bytes = zip({
      '../../evil.md': '# Evil',
      '/etc/x.md': 'x',
      'a\\..\\..\\b.md': 'x',
      'link.md': '/etc/passwd',
      'good.md': '# Good',
    });
    const { view } = directory(bytes);
    const at = view.lastIndexOf('link.md') - 46;
    view.writeUInt32LE((0o120777 << 16) >>> 0, at + 38);
    const { chapters, warnings } = await read('book.zip', view);
    expect(chapters.map(({ path }) => path)).toEqual(['good.md']);
    expect(warnings.map(({ code }) => code)).toEqual(Array(4).fill('FILE_SKIPPED'));
  });

  it('is cut off, wherever it is cut', async () => {
    const { 'word/document.xml': _, ...rest } = { 'word/document.xml': '', 'x.txt': 'x' };
    const bytes = zip({
      'word/document.xml':
        '<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>Rain</w:t></w:r></w:p></w:body></w:document>',
      ...rest,
    });
    for (let length = 3; length < bytes.length; length += 7)
      await expect(read('book.docx', bytes.subarray(0, length))).rejects.toMatchObject({
        code: 'FILE_UNREADABLE',
      });
  });

  it('has one wrong byte within: refused or read as it was, never read otherwise', async () => {
    const bytes = zip({ 'a.md': '# Rain\n\nIt rained.\n' });
    for (let at = 0; at < bytes.length; at += 1) {
      const wrong = Uint8Array.from(bytes);
      wrong[at] = (wrong[at] ?? 0) ^ 0x55;
      const found = await read('book.zip', wrong).catch((error: { code: string }) => error.code);
      if (typeof found === 'string') expect(['FILE_UNREADABLE', 'PAYLOAD_TOO_LARGE']).toContain(found);
      else for (const { text } of found.chapters) expect(text).toBe('# Rain\n\nIt rained.\n');
    }
  });

  it('is locked with a password', async () => {
    const { view, at } = directory(zip({ 'a.md': 'x' }));
    view.writeUInt16LE(1, at + 8);
    await expect(read('book.zip', view)).rejects.toThrow(/password|nothing in it/);
  });

  it('is XML with a document type that would grow without end', async () => {
    const bomb =
      '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><w:document xmlns:w="w"><w:body><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:body></w:document>';
    await expect(read('book.docx', zip({ 'word/document.xml': bomb }))).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
    });
  });

  it('is a PNG whose parts lie about their length', async () => {
    const png = Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      Buffer.from([0x7f, 0xff, 0xff, 0xff]),
      Buffer.from('tEXtchara\0e30='),
    ]);
    await expect(read('card.png', png)).rejects.toThrow(/longer than the file/);
    await expect(read('card.png', png.subarray(0, 12))).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
    await expect(read('card.png', png.subarray(0, 8))).rejects.toThrow(/no character card/);
  });

  it('is none that is read here', async () => {
    for (const name of ['book.pdf', 'book.doc', 'book.docx'])
      await expect(read(name, Buffer.from('%PDF-1.4'))).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
    await expect(read('data.json', Buffer.from('{"a":1}'))).rejects.toThrow(/neither a world book/);
    await expect(read('data.json', Buffer.from('{"a":'))).rejects.toThrow(/not valid JSON/);
  });
});
