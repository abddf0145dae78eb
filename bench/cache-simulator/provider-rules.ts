// How providers cache prompt prefixes, as data. Prices are relative to plain input.

export type ProviderRule = {
  readonly id: string;
  /** What a token costs that is written to the cache, or read from it. */
  readonly writePrice: number;
  readonly readPrice: number;
} & (
  | { readonly kind: 'blocks'; readonly blockTokens: number }
  | { readonly kind: 'steps'; readonly minimum: number; readonly step: number }
  | {
      readonly kind: 'markers';
      readonly minimum: number;
      readonly markers: number;
      readonly lookBack: number;
    }
);

export const providerRules: readonly ProviderRule[] = [
  { id: 'vLLM, blocks of 16', kind: 'blocks', blockTokens: 16, writePrice: 1, readPrice: 0 },
  { id: 'OpenAI, 1024/128', kind: 'steps', minimum: 1024, step: 128, writePrice: 1, readPrice: 0.1 },
  {
    id: '4 markers, min 1024',
    kind: 'markers',
    minimum: 1024,
    markers: 4,
    lookBack: 20,
    writePrice: 1.25,
    readPrice: 0.1,
  },
  {
    id: '4 markers, min 4096',
    kind: 'markers',
    minimum: 4096,
    markers: 4,
    lookBack: 20,
    writePrice: 1.25,
    readPrice: 0.1,
  },
];
