// Is the value of a setting a secret, or a word, a reference, a placeholder?

const reference =
  /^(?:\$|<|%|\{|\[|@|&|\*|process\.|import\.|os\.|env[.(:]|secrets?\.|vault:|arn:|https?:\/\/)|\$\{|\{\{|\(\)/i;
const placeholder =
  /(?:x{4,}|\*{3,}|\.{3,}|example|placeholder|change[-_]?me|your[-_]|dummy|redacted|undefined|null$|0{8,}|1234567)/i;
const leastBits = 3;

export function looksSecret(value: string): boolean {
  if (reference.test(value) || placeholder.test(value)) return false;
  const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  // Words joined by dots, dashes or slashes are names of things.
  if (/^[A-Za-z]+(?:[._/:-][A-Za-z]+)*$/.test(value))
    return value.length >= 20 && bitsPerCharacter(value) > 4;
  return classes >= 2 && bitsPerCharacter(value) >= Math.min(leastBits, Math.log2(value.length) - 0.75);
}

/** Shannon's measure over the characters of the value itself. */
function bitsPerCharacter(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
