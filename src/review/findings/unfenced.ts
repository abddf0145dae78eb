// Code that came in a Markdown fence, without the fence.

const fence = /^\s*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n?[ \t]*\1[`~]*\s*$/;

export function unfenced(text: string): { readonly text: string; readonly fenced: boolean } {
  const inside = fence.exec(text)?.[2];
  return inside === undefined ? { text, fenced: false } : { text: inside, fenced: true };
}
