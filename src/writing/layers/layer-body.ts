// What the fragments of the writing desk hold before a dialect words them.

export type MarkPlace = 'cursor' | 'selection-start' | 'selection-end';

export type LayerBody =
  | { readonly kind: 'constraint'; readonly text: string }
  | {
      readonly kind: 'entity';
      readonly name: string;
      readonly category: string;
      readonly aliases: readonly string[];
      readonly description: string;
      readonly facts: readonly string[];
    }
  | {
      readonly kind: 'relation';
      readonly from: string;
      readonly label: string;
      readonly to: string;
      readonly about: string;
    }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'setting'; readonly name: string; readonly text: string }
  /** How the writer likes it, as they wrote it down. */
  | { readonly kind: 'preferences'; readonly text: string }
  | {
      readonly kind: 'titled';
      readonly title: string;
      readonly text: string;
      /** What is shown of it, in its order; left out: all of it. */
      readonly parts?: readonly string[];
      /** It comes after the text at hand. */
      readonly isLater?: boolean;
    }
  /** Word for word, with its own white space. */
  | { readonly kind: 'passage'; readonly text: string }
  | { readonly kind: 'mark'; readonly place: MarkPlace }
  /** Where the list above it comes from. */
  | { readonly kind: 'origins'; readonly paths: readonly string[] }
  | { readonly kind: 'fence'; readonly edge: 'open' | 'close' };

/** Everything a body says in words that are not ours. */
export function foreignWords(body: LayerBody): readonly string[] {
  switch (body.kind) {
    case 'entity':
      return [body.name, body.category, ...body.aliases, body.description, ...body.facts];
    case 'relation':
      return [body.from, body.label, body.to, body.about];
    case 'setting':
      return [body.name, body.text];
    case 'titled':
      return [body.title, body.text];
    case 'mark':
    case 'fence':
    case 'origins':
      return [];
    default:
      return [body.text];
  }
}
