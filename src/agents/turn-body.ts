// What a fragment of an agent's turn holds before it is put into words.

export type TurnBody =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'message'; readonly from: string; readonly to: string; readonly content: string };

export type TurnSection = 'system' | 'task' | 'context' | 'message';
