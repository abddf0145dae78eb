// Weighted logistic regression by Newton steps with a small pull towards zero, on columns of one scale.

export interface Sample {
  readonly row: Float64Array;
  readonly hit: boolean;
  readonly weight: number;
}

const pull = 1;
const mostSteps = 30;
const largestStep = 2;

export interface Fitted {
  readonly bias: number;
  readonly weights: Float64Array;
}

export function fitLogistic(samples: readonly Sample[], width: number): Fitted {
  const { means, spreads } = scalesOf(samples, width);
  const scaled = samples.map((sample) => {
    const row = new Float64Array(width + 1);
    row[0] = 1;
    for (let index = 0; index < width; index += 1)
      row[index + 1] = (sample.row[index]! - means[index]!) / spreads[index]!;
    return { ...sample, row };
  });
  const fitted = newton(scaled, width + 1);
  const weights = Float64Array.from(spreads, (spread, index) => fitted[index + 1]! / spread);
  const bias = weights.reduce((sum, weight, index) => sum - weight * means[index]!, fitted[0]!);
  return { bias, weights };
}

function scalesOf(samples: readonly Sample[], width: number) {
  const means = new Float64Array(width);
  const spreads = new Float64Array(width);
  for (const { row } of samples)
    for (let index = 0; index < width; index += 1) means[index]! += row[index]! / samples.length;
  for (const { row } of samples)
    for (let index = 0; index < width; index += 1)
      spreads[index]! += (row[index]! - means[index]!) ** 2 / samples.length;
  for (let index = 0; index < width; index += 1)
    spreads[index] = spreads[index]! < 1e-9 ? 1 : Math.sqrt(spreads[index]!);
  return { means, spreads };
}

function newton(samples: readonly Sample[], width: number): Float64Array {
  const weights = new Float64Array(width);
  for (let step = 0; step < mostSteps; step += 1) {
    const gradient = Float64Array.from(weights, (weight) => -pull * weight);
    const curvature = Array.from({ length: width }, (_, index) => {
      const line = new Float64Array(width);
      line[index] = pull;
      return line;
    });
    for (const { row, hit, weight } of samples) {
      let sum = 0;
      for (let index = 0; index < width; index += 1) sum += weights[index]! * row[index]!;
      const chance = 1 / (1 + Math.exp(-sum));
      const error = weight * (Number(hit) - chance);
      const bend = weight * chance * (1 - chance);
      for (let index = 0; index < width; index += 1) {
        const value = row[index]!;
        if (value === 0) continue;
        gradient[index]! += error * value;
        const line = curvature[index]!;
        for (let other = 0; other <= index; other += 1) line[other]! += bend * value * row[other]!;
      }
    }
    const move = solve(curvature, gradient);
    let largest = 0;
    for (let index = 0; index < width; index += 1) {
      const by = Math.max(-largestStep, Math.min(largestStep, move[index]!));
      weights[index]! += by;
      largest = Math.max(largest, Math.abs(by));
    }
    if (largest < 1e-4) break;
  }
  return weights;
}

/** Cholesky on the lower triangle. */
function solve(lower: readonly Float64Array[], right: Float64Array): Float64Array {
  const size = right.length;
  const factor = lower.map((line) => Float64Array.from(line));
  for (let row = 0; row < size; row += 1) {
    for (let col = 0; col <= row; col += 1) {
      let sum = factor[row]![col]!;
      for (let index = 0; index < col; index += 1) sum -= factor[row]![index]! * factor[col]![index]!;
      factor[row]![col] = row === col ? Math.sqrt(sum) : sum / factor[col]![col]!;
    }
  }
  const half = new Float64Array(size);
  for (let row = 0; row < size; row += 1) {
    let sum = right[row]!;
    for (let index = 0; index < row; index += 1) sum -= factor[row]![index]! * half[index]!;
    half[row] = sum / factor[row]![row]!;
  }
  const out = new Float64Array(size);
  for (let row = size - 1; row >= 0; row -= 1) {
    let sum = half[row]!;
    for (let index = row + 1; index < size; index += 1) sum -= factor[index]![row]! * out[index]!;
    out[row] = sum / factor[row]![row]!;
  }
  return out;
}
