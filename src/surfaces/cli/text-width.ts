// Places a text takes on a terminal, whatever the script: an East Asian character takes two, a combining mark none.
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1b000}-\u{1b2ff}\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const plain = /^[ -~]*$/;
const none = /[\p{Mn}\p{Me}\p{Cf}]/u;

export function widthOf(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += none.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return width;
}
