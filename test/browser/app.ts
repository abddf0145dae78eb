// What an application in a browser might do: set a turn, press fragments of its own, weigh in tokens.
import {
  assembleTurn,
  bytesMeter,
  charsPerFourMeter,
  cjkEstimateMeter,
  codepointsMeter,
  createCountCache,
  createScaledEstimateMeter,
  hashText,
  meterForModel,
  meterOfVocabulary,
  withCountCache,
} from '../../src/pure.js';

export interface AppInput {
  readonly texts: readonly string[];
  readonly turn: Parameters<typeof assembleTurn>[1];
  readonly vocabularies: Readonly<Record<'o200k_base' | 'cl100k_base', string>>;
}

export function run(input: string): string {
  const { texts, turn, vocabularies }: AppInput = JSON.parse(input);
  const o200k = meterOfVocabulary('o200k_base', vocabularies.o200k_base);
  const meters = [
    bytesMeter,
    codepointsMeter,
    charsPerFourMeter,
    cjkEstimateMeter,
    o200k,
    meterOfVocabulary('cl100k_base', vocabularies.cl100k_base),
    createScaledEstimateMeter('claude-estimate', o200k),
  ].map((meter) => withCountCache(meter, createCountCache()));
  return JSON.stringify({
    platform: typeof process,
    turns: (['claude-code', 'openai-codex', 'google-gemini', 'unknown'] as const).map((agent) =>
      assembleTurn(agent, turn),
    ),
    weights: meters.map((meter) => [meter.id, texts.map((text) => meter.weigh(text))]),
    hashes: texts.map(hashText),
    model: meterForModel('gpt-4o').meter,
  });
}
