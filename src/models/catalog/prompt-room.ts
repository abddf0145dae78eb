// How much a prompt may weigh for a model: its known window less the answer, in units of the meter that weighs the prompt.
import { meterForModel } from '../../meters/meter-for-model.js';
import { builtInCatalog, type Catalog, rowFor } from './catalog.js';

export interface RoomWish {
  /** Id of the meter that weighs the prompt. */
  readonly meter: string;
  readonly maxOutputTokens?: number | undefined;
  readonly catalog?: Catalog | undefined;
}

/** Undefined where the window is not known. */
export function promptRoom(model: string, wish: RoomWish): number | undefined {
  const room = windowRoom(model, wish);
  return room === undefined ? undefined : Math.floor(room * shareOf(wish.meter, meterForModel(model).meter));
}

/** In tokens of the model itself. */
export function windowRoom(
  model: string,
  { catalog = builtInCatalog, maxOutputTokens }: Omit<RoomWish, 'meter'>,
): number | undefined {
  const { window, mostOutput = Number.POSITIVE_INFINITY } = rowFor(model, catalog) ?? {};
  if (window === undefined) return undefined;
  const answer = maxOutputTokens ?? Math.min(usualAnswer, mostOutput, Math.floor(window / 4));
  return Math.max(0, window - answer);
}

const usualAnswer = 8_192;

/**
 * Another meter than the model's own may count less than the model does: prose and code up to 1.65 times less in o200k_base, and
 * Chinese in quarters of characters up to four times. No token is shorter than a byte.
 */
function shareOf(meter: string, own: string): number {
  if (meter === own || meter === 'bytes') return 1;
  return meter === 'chars/4' ? 0.25 : 0.6;
}
