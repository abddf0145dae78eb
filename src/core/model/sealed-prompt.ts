// One call as it was set and sealed: the texts a model gets, and the receipt that weighs, spans and hashes those very texts.
import type { Receipt } from './receipt.js';

export interface SealedPrompt {
  /** Empty where there is none. */
  readonly system: string;
  readonly prompt: string;
  /** JSON Schema of the answer, for models that can be held to one. */
  readonly answer?: string;
  readonly receipt: Receipt;
}
