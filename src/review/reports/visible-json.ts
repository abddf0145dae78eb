// JSON in which nothing hides: characters that cannot be seen are written as escapes and read back as they were.

const hidden =
  /[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\x7f-\x9f]/gu;

export function visibleJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(hidden, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}
