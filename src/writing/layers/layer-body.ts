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
  | { readonly kind: 'mark'; readonly place: MarkPlace };
