// Terminal output as a picture: text with colour codes in, SVG out. Wide characters take two places, as on a terminal.
const place = { width: 8.4, height: 19, margin: 18 };
const styles = {
  1: 'font-weight="600"',
  2: 'fill="#8b949e"',
  31: 'fill="#ff7b72"',
  32: 'fill="#7ee787"',
  33: 'fill="#e3b341"',
};
/** With a group, so that splitting keeps the codes. */
const escapeSign = String.fromCharCode(27);
const colourCode = new RegExp(`(${escapeSign}\\[[0-9]+m)`, 'g');
const isWide = (character) =>
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60]/u.test(
    character,
  );

export function terminalPicture(text, { title }) {
  const lines = text.trimEnd().split('\n');
  const body = lines.map((line, row) => lineOf(line, place.margin + 44 + row * place.height)).join('\n');
  const columns = Math.max(80, ...lines.map((line) => widthOf(withoutColour(line))));
  const width = Math.ceil(columns * place.width + 2 * place.margin);
  const height = lines.length * place.height + 44 + 2 * place.margin;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g fill="#30363d"><circle cx="22" cy="22" r="6"/><circle cx="42" cy="22" r="6"/><circle cx="62" cy="22" r="6"/></g>
<g fill="#e6edf3" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'WenQuanYi Micro Hei Mono', monospace" font-size="14" xml:space="preserve">
${body}
</g>
</svg>
`;
}

/** Every run of one style starts at its own column, so that a font with other widths cannot shift what follows. */
function lineOf(line, y) {
  let column = 0;
  let style = '';
  const runs = [];
  for (const piece of line.split(colourCode)) {
    const code = piece.startsWith(escapeSign) ? piece.slice(2, -1) : undefined;
    if (code !== undefined) {
      style = styles[code] ?? '';
      continue;
    }
    for (const word of piece.split(/( {2,})/)) {
      if (word.trim() !== '') {
        const blank = word.length - word.trimStart().length;
        const x = (place.margin + (column + blank) * place.width).toFixed(1);
        runs.push(`<text x="${x}" y="${y}"${style === '' ? '' : ` ${style}`}>${escaped(word.trim())}</text>`);
      }
      column += widthOf(word);
    }
  }
  return runs.join('');
}

const withoutColour = (line) => line.replaceAll(colourCode, '');
const widthOf = (text) => [...text].reduce((sum, character) => sum + (isWide(character) ? 2 : 1), 0);
const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
