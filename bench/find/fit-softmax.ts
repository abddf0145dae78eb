// Weights under which the files of a fix win against the other files of their tree: listwise softmax, Adam, a small pull to zero.

export interface Choice {
  /** Row after row, `width` numbers each. */
  readonly rows: Float64Array;
  /** How much of the right answer each row is; 1 together. */
  readonly right: Float64Array;
  readonly weight: number;
}

const pull = 0.01;
const steps = 150;
const rate = 0.05;

export function fitSoftmax(choices: readonly Choice[], width: number, sharpness: number): Float64Array {
  const weights = new Float64Array(width);
  const drift = new Float64Array(width);
  const spread = new Float64Array(width);
  const total = choices.reduce((sum, { weight }) => sum + weight, 0);
  for (let step = 1; step <= steps; step += 1) {
    const gradient = new Float64Array(width);
    for (const choice of choices) addGradient(gradient, choice, { weights, sharpness });
    for (let index = 0; index < width; index += 1) {
      const slope = gradient[index]! / total - pull * weights[index]!;
      drift[index] = 0.9 * drift[index]! + 0.1 * slope;
      spread[index] = 0.99 * spread[index]! + 0.01 * slope * slope;
      const forward = drift[index]! / (1 - 0.9 ** step);
      weights[index]! += (rate * forward) / (Math.sqrt(spread[index]! / (1 - 0.99 ** step)) + 1e-8);
    }
  }
  return weights;
}

function addGradient(
  gradient: Float64Array,
  { rows, right, weight }: Choice,
  { weights, sharpness }: { readonly weights: Float64Array; readonly sharpness: number },
): void {
  const width = weights.length;
  const belief = new Float64Array(right.length);
  let highest = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < right.length; row += 1) {
    let sum = 0;
    for (let index = 0; index < width; index += 1) sum += weights[index]! * rows[row * width + index]!;
    belief[row] = sharpness * sum;
    highest = Math.max(highest, belief[row]!);
  }
  let all = 0;
  for (let row = 0; row < right.length; row += 1) {
    belief[row] = Math.exp(belief[row]! - highest);
    all += belief[row]!;
  }
  for (let row = 0; row < right.length; row += 1) {
    const error = weight * sharpness * (right[row]! - belief[row]! / all);
    for (let index = 0; index < width; index += 1) gradient[index]! += error * rows[row * width + index]!;
  }
}
