// How the layers read: bracketed headings, numbered constraints, one card for each entity, the text word for word.
import type { Dialect } from '../../core/model/dialect.js';
import type { PromptLanguage } from '../../skills/prompt-language.js';
import type { LayerBody } from './layer-body.js';
import type { SectionId } from './layered-recipe.js';
import { type LayeredWords, layeredWords } from './layered-words.js';

const separators: Partial<Record<string, string>> = { retrieved: '\n\n', text: '' };

export function wordBody(body: LayerBody, place: number, words: LayeredWords): string {
  switch (body.kind) {
    case 'constraint':
      return `${place}. ${body.text}`;
    case 'entity':
      return cardOf(body, words);
    case 'relation': {
      const label = body.label === '' ? '' : words.aside([body.label]);
      return `- ${body.from} → ${body.to}${label}${body.about === '' ? '' : words.about(body.about)}`;
    }
    case 'note':
      return `- ${body.text}`;
    case 'setting':
      return `- ${body.name}${words.about(body.text)}`;
    case 'titled':
      return titled(body, words);
    case 'passage':
      return body.text;
    case 'mark':
      return words.marks[body.place];
  }
}

function titled(
  { title, text: whole, parts, isLater }: LayerBody & { kind: 'titled' },
  words: LayeredWords,
): string {
  const text = parts === undefined ? whole : parts.join(words.gap);
  const line = `${title === '' ? '' : words.title(title)}${isLater ? words.later : ''}`.trimStart();
  return line === '' ? text : `${line}\n${text}`;
}

function cardOf(
  { name, category, aliases, description, facts }: LayerBody & { kind: 'entity' },
  words: LayeredWords,
): string {
  const parts = [words.category(category), aliases.length === 0 ? '' : words.aliases(aliases)].filter(
    (part) => part !== '',
  );
  const head = `- ${name}${parts.length === 0 ? '' : words.aside(parts)}${words.about(description)}`;
  return [head, ...facts.map((fact) => `  · ${fact}`)].join('\n');
}

/** The heading of the text names the chapter. */
export function layeredDialect(title = '', language: PromptLanguage = 'zh'): Dialect<LayerBody> {
  const words = layeredWords[language];
  const chapter = title.replace(/\s+/g, ' ').trim();
  return {
    id: words.dialect,
    version: 1,
    apart: '\n\n',
    section: (id) => {
      const heading = words.headings[id as SectionId] ?? id;
      const named = id === 'text' && chapter !== '' ? `${heading} - ${chapter}` : heading;
      return { heading: `[${named}]\n`, between: separators[id] ?? '\n' };
    },
    word: (body, _fragment, place) => wordBody(body, place, words),
  };
}
