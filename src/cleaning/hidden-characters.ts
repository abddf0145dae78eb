// Characters a reader cannot see, or that turn the text around them: shown by their number, never passed on silently.

const hidden =
  /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;

// Joiners and presentation marks are part of how an emoji is written.
const emojiPart =
  /(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic}|[\d#*])\ufe0f/gu;

export function hiddenCharacters(text: string): string[] {
  return text.replace(emojiPart, '').match(hidden) ?? [];
}

/** Tabs and line ends stay; everything else that cannot be seen becomes `{U+XXXX}`. */
export function showHidden(text: string): string {
  const unix = text.replaceAll('\r\n', '\n');
  const kept = new Set<number>();
  for (const match of unix.matchAll(emojiPart)) kept.add(match.index);
  return unix.replace(hidden, (character: string, at: number) =>
    kept.has(at) ? character : codePointName(character),
  );
}

export function codePointName(character: string): string {
  return `{U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}}`;
}

export type HiddenCharacterKind = 'bidi' | 'tag' | 'invisible' | 'control';

export function hiddenKind(character: string): HiddenCharacterKind {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xe0000 && code <= 0xe007f) return 'tag';
  if (
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069) ||
    [0x200e, 0x200f, 0x061c].includes(code)
  )
    return 'bidi';
  return /\p{Cc}/u.test(character) ? 'control' : 'invisible';
}
