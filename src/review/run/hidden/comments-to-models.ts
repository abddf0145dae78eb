// Comments a reader of the rendered page never sees, worded for somebody who reads the source: a model.

const rendered = /\.(?:md|mdx|markdown|mkd|rst|html?|xhtml|vue|svelte|astro|adoc|txt)$/i;
const comment = /<!--([\s\S]{1,4000}?)(?:-->|$)|^[ +-]\[\/\/\]:\s*#\s*\(?([^\n]{1,2000})/gm;
const address =
  /\b(?:ignore|disregard|forget|override)\b[\s\S]{0,80}\b(?:previous|prior|above|earlier|instructions?|rules?|prompts?)\b|\b(?:ai|a\.i\.|llms?|language models?|chat ?bots?|assistants?|agents?|chatgpt|gpt|claude|copilot|gemini|reviewers?|system prompt)\b|\byou (?:are|must|should|will) |\b(?:do not|don't|never) (?:report|mention|flag|review|comment)\b|\b(?:approve|lgtm|no findings|no issues)\b|(?:忽略|无视)[\s\S]{0,30}(?:指令|指示|规则|提示)/i;

/** Offsets at which such comments begin, ascending. */
export function commentsToModels(text: string, path: string): number[] {
  if (!rendered.test(path)) return [];
  const offsets: number[] = [];
  for (const match of text.matchAll(comment)) {
    const words = (match[1] ?? match[2] ?? '').replaceAll(/\n[ +-]?/g, ' ');
    if (address.test(words)) offsets.push(match.index);
  }
  return offsets;
}
