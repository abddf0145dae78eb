// What the fragments of a skill run hold before the dialect words them.
import type { LayerBody } from '../layers/layer-body.js';

export type ChapterBody =
  | LayerBody
  /** Where the list above it comes from. */
  | { readonly kind: 'origins'; readonly paths: readonly string[] };
