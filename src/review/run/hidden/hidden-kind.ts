// What kind of hidden text a character is.

export type HiddenKind = 'bidi' | 'tag' | 'invisible' | 'control' | 'comment-to-model';

export function hiddenKind(character: string): Exclude<HiddenKind, 'comment-to-model'> {
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
