// Text as search compares it: capitals, full-width forms, typographic quotes and line breaks do not matter. A folded text is as long
// as the text, unit for unit, so that a place in one is the same place in the other.

const quotes: Readonly<Record<string, string>> = { '“': '"', '”': '"', '‘': "'", '’': "'" };

export function foldText(text: string): string {
  const lower = text.toLowerCase();
  const folded = lower.length === text.length ? lower : [...text].map(lowered).join('');
  return folded.replace(/[\uff01-\uff5e\u3000\u00a0\t\n“”‘’]/g, (sign) => {
    const code = sign.charCodeAt(0);
    if (code >= 0xff01) return String.fromCharCode(code - 0xfee0).toLowerCase();
    return quotes[sign] ?? ' ';
  });
}

/** İ has a small form of two letters; it stays as it is. */
function lowered(character: string): string {
  const lower = character.toLowerCase();
  return lower.length === character.length ? lower : character;
}
