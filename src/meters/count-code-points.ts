// How many code points a text has; a surrogate without its partner counts as one.

export function countCodePoints(text: string): number {
  let points = text.length;
  for (let index = 1; index < text.length; index += 1) {
    if ((text.charCodeAt(index) & 0xfc00) !== 0xdc00) continue;
    if ((text.charCodeAt(index - 1) & 0xfc00) === 0xd800) points -= 1;
  }
  return points;
}
