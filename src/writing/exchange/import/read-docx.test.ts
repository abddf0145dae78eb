import { describe, expect, it } from 'vitest';
import { packZip } from '../export/pack-zip.js';
import { readDocx } from './read-docx.js';

const w = (body: string) =>
  `<?xml version="1.0"?><w:document xmlns:w="w" xmlns:mc="mc"><w:body>${body}</w:body></w:document>`;
const p = (runs: string, properties = '') =>
  `<w:p>${properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`}${runs}</w:p>`;
const r = (text: string, look = '') =>
  `<w:r><w:rPr>${look}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const styled = (style: string, text: string) => p(r(text), `<w:pStyle w:val="${style}"/>`);

function docx(body: string, parts: Readonly<Record<string, string>> = {}) {
  const files = { '[Content_Types].xml': '<Types/>', 'word/document.xml': w(body), ...parts };
  const bytes = packZip(Object.entries(files).map(([path, content]) => ({ path, content })));
  return readDocx({ name: 'book.docx', bytes });
}

const styles = `<w:styles xmlns:w="w">
  <w:style w:styleId="a1"><w:name w:val="heading 1"/></w:style>
  <w:style w:styleId="mine"><w:name w:val="My Chapter"/><w:basedOn w:val="a1"/></w:style>
  <w:style w:styleId="lvl"><w:name w:val="Odd"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
  <w:style w:styleId="t"><w:name w:val="Title"/></w:style>
  <w:style w:styleId="toc"><w:name w:val="toc 1"/></w:style>
</w:styles>`;

describe('a Word file', () => {
  it('is read as if every tracked change were accepted, which is said', () => {
    const { chapters, warnings } = docx(
      p(
        `${r('He ')}<w:del w:id="1"><w:r><w:delText>walked</w:delText></w:r></w:del><w:ins w:id="2">${r('ran')}</w:ins>` +
          `<w:moveFrom w:id="3">${r(' slowly')}</w:moveFrom>${r(' home')}<w:moveTo w:id="4">${r(' at once')}</w:moveTo>${r('.')}`,
      ) +
        // The end of this paragraph was deleted: it goes on in the next one.
        p(r('It was'), '<w:rPr><w:del w:id="5"/></w:rPr>') +
        p(r(' late.')),
    );
    expect(chapters.map(({ text }) => text)).toEqual(['He ran home at once.\n\nIt was late.\n']);
    expect(warnings.map(({ code }) => code)).toEqual(['TRACKED_CHANGES']);
    expect(warnings[0]?.message).toMatch(/2 insertions in, 2 deletions out/);
  });

  it('has headings by style, by what a style is based on, and by level', () => {
    const body = [
      ['t', '雨夜'],
      ['toc', '第一章 … 1'],
      ['a1', '第一章'],
      ['', 'a'],
      ['mine', '第二章'],
      ['', 'b'],
      ['lvl', '第三章'],
      ['', 'c'],
    ];
    const read = docx(body.map(([style = '', text = '']) => styled(style, text)).join(''), {
      'word/styles.xml': styles,
    });
    expect(read.chapters.map(({ title, text }) => [title, text])).toEqual([
      ['第一章', '# 第一章\n\na\n\n'],
      ['第二章', '# 第二章\n\nb\n\n'],
      ['第三章', '# 第三章\n\nc\n'],
    ]);
    expect(read.title).toBe('雨夜');
    expect(read.warnings.map(({ code }) => code)).toEqual(['CONTENTS_LEFT_OUT']);
    expect(read.fields).toContainEqual({ field: 'Title', became: 'book title', count: 1 });
  });

  it('without styles has the headings that its words say', () => {
    const { chapters } = docx(['第一章 雨', 'a', '第二章 雪', 'b'].map((text) => p(r(text))).join(''));
    expect(chapters.map(({ title }) => title)).toEqual(['第一章 雨', '第二章 雪']);
  });

  it('keeps looks, lines, tabs and empty paragraphs between scenes', () => {
    const { chapters } = docx(
      p(
        `${r('a ')}${r('b', '<w:i/>')}${r(' c', '<w:b w:val="1"/>')}${r(' d', '<w:i w:val="0"/>')}<w:r><w:tab/><w:t>e</w:t><w:br/><w:t>f</w:t></w:r>`,
      ) +
        p(r('g')) +
        p('') +
        p(r('* literal')),
    );
    expect(chapters[0]?.text).toBe('a *b* **c** d\te\n\nf\n\ng\n\n\n\n* literal\n');
  });

  it('says what is not text of the book, and keeps its words', () => {
    const notes = (kind: string, tag: string) =>
      `<w:${kind} xmlns:w="w"><w:${tag} w:type="separator"><w:p/></w:${tag}><w:${tag}><w:p><w:r><w:t>see page 3</w:t></w:r></w:p></w:${tag}></w:${kind}>`;
    const read = docx(
      p(
        `${r('a')}<w:r><w:commentReference w:id="1"/></w:r><w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:drawing/></w:r>`,
      ) +
        `<w:tbl><w:tr><w:tc>${p(r('cell'))}</w:tc></w:tr></w:tbl>` +
        p(
          `<mc:AlternateContent><mc:Choice>${r('once')}</mc:Choice><mc:Fallback>${r('twice')}</mc:Fallback></mc:AlternateContent>`,
        ),
      {
        'word/comments.xml': notes('comments', 'comment'),
        'word/footnotes.xml': notes('footnotes', 'footnote'),
      },
    );
    expect(read.chapters[0]?.text).toBe('a\n\ncell\n\nonce\n');
    expect(read.warnings.map(({ code }) => code)).toEqual([
      'COMMENTS_KEPT',
      'FOOTNOTES_KEPT',
      'PICTURES_LEFT_OUT',
      'TABLES_AS_TEXT',
    ]);
    expect(JSON.parse(read.kept[0]?.text ?? '')).toEqual({
      comments: ['see page 3'],
      footnotes: ['see page 3'],
    });
  });
});
